import type { Body, EncodedMoves } from './cell.ts'
import type { MoveRanges } from './cell-moves.ts'

/** The parts of one Players message. One object is reused for all messages. */
export type PlayersParts = {
  /** `ranges` ranges of the bytes of the encoder. */
  readonly offsets: Int32Array
  readonly lengths: Int32Array
  ranges: number
  /** The sum of `lengths`. */
  movedBytes: number
  /** The moves as JSON, for text frames. */
  readonly texts: string[]
  /** The number of moves. */
  entries: number
  readonly appeared: Body[]
  readonly gone: number[]
}

/** More cells than any view has: a radius of 8 cells has 289. */
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

/** Adds the moves of cells in this tick for binary frames. This is the hottest loop of the server, so it reads flat arrays only. */
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
