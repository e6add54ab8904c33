import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MadeChange } from '../../shared/domain/history/block-change.ts'
import { openHistoryBook } from '../../shared/domain/history/history-book.ts'
import type { ChunkRecord, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { type Bench, median, round } from '../result.ts'
import { createSession } from './building-session.ts'

const rounds = 15
/** Unmeasured rounds of each kind: a running server has compiled both long ago. */
const warmRounds = 12
const writesPerRound = 40
/** Edits that wait during one write, with some dozens of builders. */
const editsPerWrite = 20
const sessionChanges = 200_000
const ratioMin = 0.85
const bytesMost = 16

const worldOf = (name: string, digit: number): WorldRef => ({ name, id: `7b0e8c8e-9a55-4d0c-a3a8-5c1d4a9b2f1${digit}` })

/** The columns of the changes, with the size of terrain. */
const columnsOf = (changes: readonly MadeChange[]): ChunkRecord[] =>
  changes.map(({ x, z }, at) => {
    const bytes = new Uint8Array(6000)
    for (let n = 0; n < bytes.length; n += 1) bytes[n] = (Math.imul(n + at + x, 2_654_435_761) >>> 24) & 255
    return { cx: Math.floor(x / 16), cz: Math.floor(z / 16), bytes }
  })

/**
 * Benchmarks durable edits a second of the store with and without history, in turns, and the size of a change on disk. It cannot
 * show the cost of encoding columns and of ticks, which would make the difference smaller. Nor can it show the first minutes of a
 * server, when its code is not compiled yet.
 */
export const historyCost: Bench = {
  name: 'history-cost',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
    const chunks = createLmdbChunkStore({ path: folder })
    const limits = () => ({ enabled: true, days: 3650, maxMiB: 65_536 })
    try {
      const [kept, unkept, alone] = [worldOf('kept', 1), worldOf('unkept', 2), worldOf('alone', 3)]
      const { next } = createSession()
      const book = await openHistoryBook({ chunks, world: kept, limits, clock: systemClock })
      const timeRound = async (isKept: boolean): Promise<number> => {
        const batches = Array.from({ length: writesPerRound }, () => Array.from({ length: editsPerWrite }, next))
        const records = batches.map(columnsOf)
        const startedMs = performance.now()
        for (const [at, changes] of batches.entries()) {
          const beside = isKept ? await book.note(changes) : []
          await chunks.putMany(isKept ? kept : unkept, records[at] ?? [], 1, beside)
          if (isKept) book.settle(true)
        }
        return performance.now() - startedMs
      }
      const on: number[] = []
      const off: number[] = []
      for (let turn = -warmRounds; turn < rounds; turn += 1) {
        const isKeptFirst = turn % 2 === 0
        const times = [await timeRound(isKeptFirst), await timeRound(!isKeptFirst)] as const
        if (turn < 0) continue
        on.push(times[isKeptFirst ? 0 : 1])
        off.push(times[isKeptFirst ? 1 : 0])
      }
      const session = await openHistoryBook({ chunks, world: alone, limits, clock: systemClock })
      for (let written = 0; written < sessionChanges; written += editsPerWrite) {
        const beside = await session.note(Array.from({ length: editsPerWrite }, next))
        await chunks.putMany(alone, [], 1, beside)
        session.settle(true)
      }
      const perChange = (await chunks.stats(alone)).sizeBytes / sessionChanges
      const perSecond = (times: readonly number[]) => round((writesPerRound * editsPerWrite * 1000) / median(times), 0)
      const ratio = median(on.map((ms, turn) => (off[turn] ?? 0) / ms))
      return [
        {
          bench: 'history-cost',
          figure: `durable edits in writes of ${editsPerWrite}`,
          value: perSecond(on),
          unit: 'edits/s',
          reference: { name: 'the same without history', value: perSecond(off) },
          ratio: round(ratio),
          target: `ratio at least ${ratioMin}`,
          met: ratio >= ratioMin,
        },
        {
          bench: 'history-cost',
          figure: 'the file of a world over its changes',
          value: round(perChange, 1),
          unit: 'bytes/change',
          target: `at most ${bytesMost}`,
          met: perChange <= bytesMost,
        },
      ]
    } finally {
      await chunks.close()
      await rm(folder, { recursive: true })
    }
  },
}
