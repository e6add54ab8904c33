import { runScenario, type Scenario } from '../realtime/scenario.ts'
import { type Bench, type BenchResult, round } from '../result.ts'
import type { LandWork } from './land-work.ts'

const players = 200
const crowd: Scenario = { players, sideBlocks: 600, joinsPerSecond: 50, observers: 5, measureMs: 10_000 }

const runWith = async (land: LandWork) => {
  const asked = { ...crowd, land }
  // As in a built server; otherwise a thread's start is mostly that of a compiler.
  const bundles = await import(new URL('../../test/support/jest/thread-bundles.js', import.meta.url).href)
  await bundles.bundleThreadsForTests()
  const { server, worked } = await runScenario('gatehouse', asked, JSON.stringify(asked)).finally(bundles.removeThreadBundles)
  if (worked === undefined) throw new Error('nothing was done to the land')
  if (worked.done.state !== 'done') throw new Error(`the ${land} ended as ${worked.done.state}`)
  return { before: server, during: worked.server, done: worked.done }
}

/**
 * Benchmarks a rollback of 307,200 blocks while 200 players walk, all processes on one machine. It cannot show columns without
 * players near them, nor a slower disk.
 */
export const rollback: Bench = {
  name: 'rollback',
  run: async (): Promise<readonly BenchResult[]> => {
    const { before, during, done } = await runWith('rollback')
    const seconds = done.ms / 1000
    return [
      {
        bench: 'rollback',
        figure: `${done.amount} blocks, from the request to the end of the job`,
        value: round(seconds, 1),
        unit: 's',
        target: 'under 30 for 300,000 blocks',
        met: seconds < 30 && done.amount >= 300_000,
      },
      {
        bench: 'rollback',
        figure: `tick p99 with ${players} who walk`,
        value: round(during.tickP99Ms, 1),
        unit: 'ms',
        reference: { name: 'the same without a rollback', value: round(before.tickP99Ms, 1) },
        ratio: round(during.tickP99Ms / before.tickP99Ms),
        target: 'under 50 ms',
        met: during.tickP99Ms < 50,
      },
    ]
  },
}

/**
 * Benchmarks a verified backup of 10,000 columns of terrain and the level ground of 200 walking players, against a copy of the
 * same files. It cannot show a folder on another disk, or over a network.
 */
export const backup: Bench = {
  name: 'backup',
  run: async (): Promise<readonly BenchResult[]> => {
    const { before, during, done } = await runWith('backup')
    const ratio = done.referenceMs / done.copiedMs
    const perSecond = (ms: number) => round(done.amount / 2 ** 20 / (ms / 1000), 1)
    const plain = { name: 'a copy of the files', value: perSecond(done.referenceMs) }
    const size = `${round(done.amount / 2 ** 20, 1)} MiB`
    return [
      {
        bench: 'backup',
        figure: `${size} copied, durable`,
        value: perSecond(done.copiedMs),
        unit: 'MiB/s',
        reference: plain,
        ratio: round(ratio),
        target: 'ratio at least 0.5',
        met: ratio >= 0.5,
      },
      {
        bench: 'backup',
        figure: `${size} copied and every record read back`,
        value: perSecond(done.ms),
        unit: 'MiB/s',
        reference: plain,
        ratio: round(done.referenceMs / done.ms),
      },
      {
        bench: 'backup',
        figure: `longest tick with ${players} who walk`,
        value: round(during.tickMaxMs, 1),
        unit: 'ms',
        reference: { name: 'the same without a backup', value: round(before.tickMaxMs, 1) },
        ratio: round(during.tickMaxMs / before.tickMaxMs),
        target: 'at most 60 ms',
        met: during.tickMaxMs <= 60,
      },
    ]
  },
}
