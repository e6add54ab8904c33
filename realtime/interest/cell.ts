import { CellMoves } from '../protocol/generated/gatehouse.ts'
import type { Body } from './body.ts'
import type { Group } from './group.ts'

/** Width of a cell in blocks; the `.proto` says the same to clients. */
export const cellBlocks = 64

const chunkBlocks = 16

/** The cell coordinate of a block coordinate. */
export const cellCoordinate = (blocks: number): number => Math.floor(blocks / cellBlocks)

/** How many cells to each side a view radius of so many chunks covers. */
export const cellRadius = (chunks: number): number => Math.ceil((chunks * chunkBlocks) / cellBlocks)

/** The moves of one cell encoded for one tick and window: a range of the arena, or text. */
export type EncodedMoves = { tick: number; offset: number; length: number; entries: number; textTick: number; text: string }

/** A square column of the world with somebody in it. */
export type Cell = {
  /** Its place in arrays that are kept by cell; given out again once the cell is empty. */
  readonly index: number
  readonly x: number
  readonly z: number
  readonly bodies: Body[]
  /** The last tick in which a body moved in it or into it. */
  movedTick: number
  /** `CellMoves` without its moves. */
  readonly prefix: Uint8Array
  /** By window, see `moveWindows`. */
  readonly encoded: EncodedMoves[]
  /** Indexes of the occupied cells in view from here, by radius; absent until somebody looks that far from here. */
  readonly near: (number[] | undefined)[]
  /** Viewers who stand here and see the same, by radius and kind of frame. */
  readonly groups: (Group | undefined)[]
}

const createEncoded = (): EncodedMoves => ({ tick: -1, offset: 0, length: 0, entries: 0, textTick: -1, text: '' })

/** A cell without bodies. */
export const createCell = (index: number, x: number, z: number): Cell => ({
  index,
  x,
  z,
  bodies: [],
  movedTick: Number.MIN_SAFE_INTEGER,
  prefix: CellMoves.encode({ cell: { x, z }, moved: new Uint8Array(0) }).finish(),
  encoded: [createEncoded(), createEncoded(), createEncoded(), createEncoded()],
  near: [],
  groups: [],
})

/** Distance in cells, diagonals counting one. */
export const cellDistance = (a: Cell, b: Cell): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.z - b.z))
