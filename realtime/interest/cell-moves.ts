import { type Body, type Cell, cellBlocks, type EncodedMoves } from './cells.ts'
import { slackBytes } from './outbox.ts'
import { copyRange, varintLength, writeVarint } from './varint.ts'

/** Moves that are farther away than the neighbouring cells are sent once in this number of ticks (150 ms). */
export const distantTicks = 3

/** The numbers of ticks whose moves an encoding may contain. The last one contains the positions of all bodies. */
export const moveWindows = [1, distantTicks, Number.POSITIVE_INFINITY] as const
export type MoveWindow = 0 | 1 | 2

/**
 * The moves of `cell` that a viewer in `from` gets in this tick, or undefined if it gets none. Its own cell and the neighbouring
 * cells are sent in every tick, the others in every third. Viewers take turns, which spreads the load.
 */
export const dueWindow = (cell: Cell, from: Cell, tick: number): MoveWindow | undefined => {
  if (Math.abs(cell.x - from.x) <= 1 && Math.abs(cell.z - from.z) <= 1) return 0
  return (tick + from.x + from.z) % distantTicks === 0 ? 1 : undefined
}

const entryBytes = 10
const cellsTag = 0x12
const movedTag = 0x12
const unitsPerBlock = 64
const turnsPerDegree = 256 / 360

/** Encodes the moves of each cell once a tick for all viewers. */
export type CellMovesEncoder = {
  /** Starts a tick. Ranges of earlier ticks become invalid. */
  begin(tick: number): void
  /** The `Players.cells` element of a cell, with tag and length, as a range of `bytes()`. Empty if there are no moves. */
  encode(cell: Cell, window: MoveWindow): EncodedMoves
  /** The same as JSON text, in `text`. */
  encodeText(cell: Cell, window: MoveWindow): EncodedMoves
  bytes(): DataView
}

const writeEntry = (target: Uint8Array, at: number, body: Body, cell: Cell): void => {
  const x = Math.round((body.x - cell.x * cellBlocks) * unitsPerBlock)
  const y = Math.round(body.y * unitsPerBlock)
  const z = Math.round((body.z - cell.z * cellBlocks) * unitsPerBlock)
  target[at] = body.ref
  target[at + 1] = body.ref >>> 8
  target[at + 2] = x
  target[at + 3] = x >>> 8
  target[at + 4] = y
  target[at + 5] = y >>> 8
  target[at + 6] = z
  target[at + 7] = z >>> 8
  target[at + 8] = Math.round(body.yaw * turnsPerDegree)
  target[at + 9] = Math.round(body.pitch * turnsPerDegree)
}

export const createCellMovesEncoder = (): CellMovesEncoder => {
  let arena: Buffer = Buffer.allocUnsafeSlow(64 * 1024)
  let view = new DataView(arena.buffer)
  let used = 0
  let tick = 0

  const reserve = (bytes: number): void => {
    if (used + bytes + slackBytes <= arena.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(arena.length * 2, used + bytes + slackBytes))
    arena.copy(larger, 0, 0, used)
    arena = larger
    view = new DataView(arena.buffer)
  }

  const countEntries = (cell: Cell, after: number): number => {
    let entries = 0
    for (const body of cell.bodies) if (body.movedTick > after) entries += 1
    return entries
  }

  const write = (cell: Cell, into: EncodedMoves, after: number): void => {
    const { prefix } = cell
    const movedBytes = into.entries * entryBytes
    const elementBytes = prefix.length + 1 + varintLength(movedBytes) + movedBytes
    into.offset = used
    into.length = 1 + varintLength(elementBytes) + elementBytes
    reserve(into.length)
    arena[used] = cellsTag
    let at = writeVarint(arena, used + 1, elementBytes)
    at = copyRange(prefix, 0, prefix.length, arena, at)
    arena[at] = movedTag
    at = writeVarint(arena, at + 1, movedBytes)
    for (const body of cell.bodies)
      if (body.movedTick > after) {
        writeEntry(arena, at, body, cell)
        at += entryBytes
      }
    used = at
  }

  const encode = (cell: Cell, window: MoveWindow): EncodedMoves => {
    const encoded = cell.encoded[window]
    if (encoded === undefined) throw new RangeError('A cell keeps its moves by window.')
    if (encoded.tick === tick) return encoded
    encoded.tick = tick
    const after = tick - moveWindows[window]
    encoded.entries = cell.movedTick > after ? countEntries(cell, after) : 0
    encoded.length = 0
    if (encoded.entries > 0) write(cell, encoded, after)
    return encoded
  }

  return {
    begin: (now) => {
      tick = now
      used = 0
    },
    encode,
    encodeText: (cell, window) => {
      const encoded = encode(cell, window)
      if (encoded.textTick === tick) return encoded
      encoded.textTick = tick
      const end = encoded.offset + encoded.length
      const moved = arena.toString('base64', end - encoded.entries * entryBytes, end)
      encoded.text = encoded.entries === 0 ? '' : `{"cell":{"x":${cell.x},"z":${cell.z}},"moved":"${moved}"}`
      return encoded
    },
    bytes: () => view,
  }
}
