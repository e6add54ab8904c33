import type { Body, EncodedMoves } from './cell.ts'
import type { MoveRanges } from './cell-moves.ts'

/** What one Players message is put together from; one object is used again for each. */
export type PlayersParts = {
  /** Ranges of the encoder's bytes, `ranges` of them. */
  readonly offsets: Int32Array
  readonly lengths: Int32Array
  ranges: number
  /** The sum of `lengths`. */
  movedBytes: number
  /** The same moves as JSON, when they are for text frames. */
  readonly texts: string[]
  /** Moves in it. */
  entries: number
  readonly appeared: Body[]
  readonly gone: number[]
}

/** More cells than are ever in view: a radius of 8 cells sees 289. */
const rangesMax = 1024

export const createPlayersParts = (): PlayersParts => ({
  offsets: new Int32Array(rangesMax),
  lengths: new Int32Array(rangesMax),
  ranges: 0,
  movedBytes: 0,
  texts: [],
  entries: 0,
  appeared: [],
  gone: [],
})

export const clearPlayersParts = (parts: PlayersParts): void => {
  parts.ranges = 0
  parts.movedBytes = 0
  parts.entries = 0
  if (parts.texts.length > 0) parts.texts.length = 0
  if (parts.appeared.length > 0) parts.appeared.length = 0
  if (parts.gone.length > 0) parts.gone.length = 0
}

/** Adds the moves of a cell for binary frames. */
export const addMoves = (parts: PlayersParts, { offset, length, entries }: EncodedMoves): void => {
  if (entries === 0) return
  const { ranges } = parts
  parts.offsets[ranges] = offset
  parts.lengths[ranges] = length
  parts.ranges = ranges + 1
  parts.movedBytes += length
  parts.entries += entries
}

/** Adds this tick's moves of cells for binary frames; the hot loop of the server, so it reads flat arrays and nothing else. */
export const addRanges = (parts: PlayersParts, { offsets, lengths, entries }: MoveRanges, indexes: readonly number[]): void => {
  let { ranges, movedBytes, entries: sum } = parts
  for (const index of indexes) {
    const length = lengths[index] ?? 0
    if (length === 0) continue
    parts.offsets[ranges] = offsets[index] ?? 0
    parts.lengths[ranges] = length
    ranges += 1
    movedBytes += length
    sum += entries[index] ?? 0
  }
  parts.ranges = ranges
  parts.movedBytes = movedBytes
  parts.entries = sum
}

/** Adds the moves of a cell for text frames. */
export const addMovesText = (parts: PlayersParts, { entries, text }: EncodedMoves): void => {
  if (entries === 0) return
  parts.texts.push(text)
  parts.entries += entries
}
