import type { CellMoves, Players } from './generated/gatehouse.ts'

/** `ServerMessage.players` as a tag, and the tags of Players, CellMoves and Cell. */
const playersTag = 0x22
const tickTag = 0x08
const cellsTag = 0x12
const cellTag = 0x0a
const movedTag = 0x12
const xTag = 0x08
const zTag = 0x10

type Cursor = { readonly bytes: Uint8Array; at: number }

/** Up to 32 bits; NaN for more, or if the bytes end. */
const readVarint = (cursor: Cursor): number => {
  let value = 0
  for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
    const byte = cursor.bytes[cursor.at] ?? Number.NaN
    cursor.at += 1
    value += (byte & 127) * scale
    if (byte < 128) return value <= 0xffffffff ? value : Number.NaN
  }
  return Number.NaN
}

/** The end of a part with a length; NaN if it is past `end`. */
const readEnd = (cursor: Cursor, end: number): number => {
  const length = readVarint(cursor)
  return cursor.at + length <= end ? cursor.at + length : Number.NaN
}

/** protobuf's sint32. */
const unzigzag = (value: number): number => (value >>> 1) ^ -(value & 1)

const readCell = (cursor: Cursor, end: number): { x: number; z: number } | undefined => {
  const cell = { x: 0, z: 0 }
  while (cursor.at < end) {
    const tag = cursor.bytes[cursor.at]
    cursor.at += 1
    const value = readVarint(cursor)
    if (Number.isNaN(value)) return undefined
    if (tag === xTag) cell.x = unzigzag(value)
    else if (tag === zTag) cell.z = unzigzag(value)
    else return undefined
  }
  return cursor.at === end ? cell : undefined
}

const readCellMoves = (cursor: Cursor, end: number): CellMoves | undefined => {
  if (cursor.bytes[cursor.at++] !== cellTag) return undefined
  const cell = readCell(cursor, readEnd(cursor, end))
  if (cell === undefined || cursor.bytes[cursor.at++] !== movedTag || readEnd(cursor, end) !== end) return undefined
  const moved = cursor.bytes.subarray(cursor.at, end)
  cursor.at = end
  return { cell, moved }
}

/**
 * The Players of a frame that has only moves, as servers write it twenty times a second. Undefined for any other frame, which
 * the generated decoder may still be able to read. `moved` is a view of the frame.
 */
export const readPlayersFrame = (frame: Uint8Array): Players | undefined => {
  if (frame[0] !== playersTag) return undefined
  const cursor: Cursor = { bytes: frame, at: 1 }
  if (readEnd(cursor, frame.length) !== frame.length) return undefined
  const players: Players = { tick: 0, cells: [], appeared: [], gone: [] }
  while (cursor.at < frame.length) {
    const tag = frame[cursor.at]
    cursor.at += 1
    if (tag === tickTag) {
      players.tick = readVarint(cursor)
      if (Number.isNaN(players.tick)) return undefined
    } else if (tag === cellsTag) {
      const moves = readCellMoves(cursor, readEnd(cursor, frame.length))
      if (moves === undefined) return undefined
      players.cells.push(moves)
    } else return undefined
  }
  return cursor.at === frame.length ? players : undefined
}
