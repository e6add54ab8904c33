import type { Turns } from '../../../kernel/turns.ts'
import type { ChunkPos } from '../../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../../worlds/store/chunk-store.ts'

/** Columns that are asked for at once. */
const columnsPerRead = 32

/** Columns, and bytes of records, that are looked into before others have their turn: some 0.3 ms. */
const columnsPerTurn = 16
const bytesPerTurn = 128 * 1024

export type ReadColumnsOptions = {
  readonly chunks: Pick<ChunkStore, 'getMany'>
  readonly world: WorldRef
  readonly positions: readonly ChunkPos[]
  /** Places among `positions`, in the order of reading. */
  readonly places: readonly number[]
  readonly turns: Turns
  readonly signal?: AbortSignal | undefined
}

/** A record that was found, by the place of its column. */
export type ReadColumn = { readonly place: number; readonly pos: ChunkPos; readonly record: Uint8Array }

/** As many as fit a turn. */
const turnsOf = function* (columns: readonly ReadColumn[]): Generator<readonly ReadColumn[]> {
  let turn: ReadColumn[] = []
  let bytes = 0
  for (const column of columns) {
    turn.push(column)
    bytes += column.record.length
    if (turn.length < columnsPerTurn && bytes < bytesPerTurn) continue
    yield turn
    turn = []
    bytes = 0
  }
  if (turn.length > 0) yield turn
}

/**
 * The records of columns, some at a time, each time in a turn of the event loop of its own; the next are on their way meanwhile. Reads no
 * further when it is returned from; rejects with the signal's reason once that is aborted.
 */
export const readColumns = async function* (options: ReadColumnsOptions): AsyncGenerator<readonly ReadColumn[]> {
  const { chunks, world, positions, places, turns, signal } = options
  const read = async (from: number): Promise<ReadColumn[]> => {
    const asked = places.slice(from, from + columnsPerRead).flatMap((place) => {
      const pos = positions[place]
      return pos === undefined ? [] : [{ place, pos }]
    })
    if (asked.length === 0) return []
    const records = await chunks.getMany(
      world,
      asked.map(({ pos }) => pos),
    )
    return asked.flatMap((column, at) => {
      const record = records[at]
      return record === undefined ? [] : [{ ...column, record }]
    })
  }
  let next = read(0)
  for (let from = 0; from < places.length; from += columnsPerRead) {
    const found = await next
    next = read(from + columnsPerRead)
    // Whoever asks for it hears of its failure; nobody may.
    next.catch(() => undefined)
    for (const turn of turnsOf(found)) {
      await turns.next()
      signal?.throwIfAborted()
      yield turn
    }
  }
}
