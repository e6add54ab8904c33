import { createDataDir, startGatehouse } from '../gatehouse-process.ts'
import { startChild } from '../realtime/child.ts'
import { type Bench, round } from '../result.ts'

const count = 500
const movesPerSecond = 20
const settleMs = 5_000
const measuredMs = 20_000
/** Settings for a crowd: high limits, because all bots share one address. */
const config = `http: {rateLimits: {signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000}}
realtime: {waitingPerAddress: 1000}
`
const ground = 'generator: flat-1\nflat: { layers: [{ block: stone, height: 63 }, { block: grass, height: 1 }] }\n'
const lostMax = 0.001

type Counts = {
  readonly atMs: number
  readonly cpuMs: number
  readonly moves: number
  readonly corrections: number
  readonly longestHoldMs: number
  readonly live: number
}

const isCounts = (value: unknown): value is Counts => typeof value === 'object' && value !== null && 'moves' in value

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Benchmarks bots of the client library in one process, all in view of each other, on a server with level ground. It cannot show
 * bots on a separate machine.
 */
export const bots: Bench = {
  name: 'bots',
  run: async () => {
    const data = await createDataDir({ 'server.yaml': config, 'worldgen.yaml': ground })
    const server = await startGatehouse('infra/local.ts', { DATA_DIR: data.path })
    const crowd = startChild('sdk/bots-load.ts', [server.url, String(count)])
    const ask = (): Promise<Counts> => {
      crowd.send('counts')
      return crowd.wait(({ counts }) => (isCounts(counts) ? counts : undefined))
    }
    try {
      await crowd.wait((message) => (message.ready === true ? true : undefined), 300_000)
      await pause(settleMs)
      const before = await ask()
      await pause(measuredMs)
      const after = await ask()
      const seconds = (after.atMs - before.atMs) / 1_000
      const wanted = count * movesPerSecond
      const value = (after.moves - before.moves) / seconds
      const common = { bench: 'bots' }
      return [
        {
          ...common,
          figure: `moves a second of ${count} bots in one process`,
          value: round(value, 0),
          unit: 'moves/s',
          reference: { name: 'asked for', value: wanted },
          ratio: round(value / wanted, 4),
          target: `at least ${wanted * (1 - lostMax)}`,
          met: value >= wanted * (1 - lostMax),
        },
        {
          ...common,
          figure: 'CPU of the bots',
          value: round(((after.cpuMs - before.cpuMs) / seconds) * 0.1, 1),
          unit: '% of a core',
          target: 'at most 100',
          met: after.cpuMs - before.cpuMs <= seconds * 1_000,
        },
        {
          ...common,
          figure: 'longest time that the loop of the bots was held',
          value: round(after.longestHoldMs, 0),
          unit: 'ms',
        },
        { ...common, figure: 'corrections', value: after.corrections - before.corrections, unit: 'corrections' },
        {
          ...common,
          figure: 'bots in the game',
          value: after.live,
          unit: 'bots',
          target: String(count),
          met: after.live === count,
        },
      ]
    } finally {
      await crowd.stop()
      await server.stop()
      await data.remove()
    }
  },
}
