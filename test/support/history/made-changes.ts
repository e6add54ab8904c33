import type { MadeChange } from '../../../shared/domain/history/block-change.ts'
import { openHistoryBook } from '../../../shared/domain/history/history-book.ts'
import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { chunkCoordinate } from '../../../shared/rules/positions.ts'
import { createFixedClock } from '../time/fixed-clock.ts'

/** A change by a player, with fields that a test overrides. */
export const madeChange = (more: Partial<MadeChange> = {}): MadeChange => ({
  x: 1,
  y: 64,
  z: 2,
  by: 'ann',
  via: 'game',
  from: 'air',
  to: 'stone',
  ...more,
})

/** Records changes as the writer of a world does, one minute apart. */
export const openTestHistory = async (chunks: ChunkStore, world: WorldRef, days = 30, maxMiB = 1024) => {
  const clock = createFixedClock()
  const limits = { enabled: true, days, maxMiB }
  const book = await openHistoryBook({ chunks, world, limits: () => limits, clock })
  return {
    clock,
    limits,
    book,
    keep: async (...changes: readonly MadeChange[]): Promise<void> => {
      clock.advance(60_000)
      const columns = new Map(
        changes.map(({ x, z }) => [
          `${chunkCoordinate(x)} ${chunkCoordinate(z)}`,
          { cx: chunkCoordinate(x), cz: chunkCoordinate(z), bytes: new Uint8Array(1) },
        ]),
      )
      const beside = await book.note(changes)
      await chunks.putMany(world, [...columns.values()], 1, beside)
      book.settle(true)
    },
    prune: async (): Promise<number> => {
      let gone = 0
      for (let beside = book.prune(); beside.length > 0; beside = book.prune()) {
        await chunks.putMany(world, [], 1, beside)
        book.settle(true)
        gone += beside.length
      }
      return gone
    },
  }
}
