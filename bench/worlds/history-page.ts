import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHistoryBook } from '../../shared/domain/history/history-book.ts'
import { listChanges } from '../../shared/domain/history/list-block-changes.ts'
import { createLmdbChunkStore } from '../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { chunkKey } from '../../shared/rules/positions.ts'
import { createSession } from '../land/building-session.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const world = { name: 'bench', id: '7b0e8c8e-9a55-4d0c-a3a8-5c1d4a9b2f10' }
const changesAtOnce = 1_000
const sizes = [1_000_000, 10_000_000]
const questions = 60
const warmUp = 10
const targetMs = 20

/**
 * Benchmarks the newest 100 changes of one column, for many columns in turn, as `/inspect` and the map query them. It also
 * measures their total size on disk. It cannot show a disk whose pages are not in memory.
 */
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
