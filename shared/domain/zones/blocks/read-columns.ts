import type { Turns } from '../../../kernel/turns.ts'
import type { ChunkPos } from '../../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../../worlds/store/chunk-store.ts'

/** The number of columns per read. */
const columnsPerRead = 32

export type ReadColumnsOptions = {
  readonly chunks: Pick<ChunkStore, 'getMany'>
  readonly world: WorldRef
  readonly positions: readonly ChunkPos[]
  readonly turns: Turns
  readonly signal?: AbortSignal | undefined
}

/** A stored column; `place` is its index among the positions. */
export type ReadColumn = { readonly place: number; readonly pos: ChunkPos; readonly record: Uint8Array }

/**
 * The stored records of columns in order, each in its own turn of the event loop, while the next ones are being read. Rejects with the
 * signal's reason if it is aborted.
 */
export const readColumns = async function* (options: ReadColumnsOptions): AsyncGenerator<ReadColumn> {
  const { chunks, world, positions, turns, signal } = options
  const read = async (from: number) => chunks.getMany(world, positions.slice(from, from + columnsPerRead))
  let next = read(0)
  for (let from = 0; from < positions.length; from += columnsPerRead) {
    const records = await next
    next = read(from + columnsPerRead)
    // The caller may stop before it uses these.
    next.catch(() => undefined)
    for (const [index, record] of records.entries()) {
      const pos = positions[from + index]
      if (record === undefined || pos === undefined) continue
      await turns.next()
      signal?.throwIfAborted()
      yield { place: from + index, pos, record }
    }
  }
}
