import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MadeChange } from '../../../shared/history/block-change.ts'
import { openHistoryBook } from '../../../shared/history/history-book.ts'
import { listChanges } from '../../../shared/history/list-block-changes.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { chunkKey } from '../../../shared/worlds/space/positions.ts'
import { createLmdbChunkStore } from '../../../shared/worlds/store/lmdb/chunk-store-lmdb.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const world = { name: 'bench', id: '7b0e8c8e-9a55-4d0c-a3a8-5c1d4a9b2f10' }
const builders = 50
const changesAtOnce = 1_000
const sizes = [1_000_000, 10_000_000]
const questions = 60
const warmUp = 10
const targetMs = 20
const types = ['stone', 'planks', 'glass', 'grass', 'bricks', 'air']

type Builder = { x: number; y: number; z: number; readonly by: string }

/** Numbers that are the same in each run. */
const createDice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return Math.floor(((state >>> 8) / 2 ** 24) * sides)
  }
}

/** Builders who put block beside block, and go elsewhere within 1,024 blocks after some hundreds. */
const createSession = () => {
  const roll = createDice(7)
  const crowd: Builder[] = Array.from({ length: builders }, (_, n) => ({
    x: roll(1024),
    y: 64,
    z: roll(1024),
    by: `builder-${n}`,
  }))
  const next = (): MadeChange => {
    const one = crowd[roll(builders)]
    if (one === undefined) throw new Error('there are builders')
    if (roll(300) === 0) Object.assign(one, { x: roll(1024), y: 60 + roll(20), z: roll(1024) })
    else if (roll(8) === 0) one.y = Math.min(250, one.y + 1)
    else if (roll(2) === 0) one.x += roll(3) - 1
    else one.z += roll(3) - 1
    const to = types[roll(types.length)] ?? 'stone'
    return { x: one.x, y: one.y, z: one.z, by: one.by, via: 'game', from: to === 'air' ? 'stone' : 'air', to }
  }
  return { roll, next }
}

/** The newest 100 changes of one column, of many columns by turns, as `/inspect` and the map ask; and what all of it takes on disk. */
export const historyPage: Bench = {
  name: 'history-page',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
    const chunks = createLmdbChunkStore({ path: folder })
    const results: BenchResult[] = []
    try {
      const limits = () => ({ enabled: true, days: 3650, maxMiB: 65_536 })
      const book = await openHistoryBook({ chunks, world, limits, clock: systemClock })
      const { roll, next } = createSession()
      let written = 0
      for (const size of sizes) {
        for (; written < size; written += changesAtOnce) {
          const beside = await book.note(Array.from({ length: changesAtOnce }, next))
          await chunks.putMany(world, [], 1, beside)
          book.settle(true)
        }
        const times: number[] = []
        for (let at = -warmUp; at < questions; at += 1) {
          const columns = new Set([chunkKey(roll(64), roll(64))])
          const before = performance.now()
          await listChanges(chunks, world, { filter: { columns }, limit: 100, cursor: undefined })
          if (at >= 0) times.push(performance.now() - before)
        }
        results.push({
          bench: 'history-page',
          figure: `first page of a column among ${size / 1e6} million changes, median (p99 ${round(percentile(times, 0.99), 1)})`,
          value: round(median(times), 1),
          unit: 'ms',
          target: `under ${targetMs} ms`,
          met: median(times) < targetMs,
        })
      }
    } finally {
      await chunks.close()
      await rm(folder, { recursive: true })
    }
    return results
  },
}
