import { Appeared, CellMoves } from '../protocol/generated/gatehouse.ts'

/** The width of a cell in blocks, as in `gatehouse.proto`. */
export const cellBlocks = 64

const chunkBlocks = 16

/** The cell coordinate of a block coordinate. */
export const cellCoordinate = (blocks: number): number => Math.floor(blocks / cellBlocks)

/** The view radius in cells for a view radius in chunks. */
export const cellRadius = (chunks: number): number => Math.ceil((chunks * chunkBlocks) / cellBlocks)

/** The encoded moves of one cell for one tick and window: a range of the arena, or text. */
export type EncodedMoves = { tick: number; offset: number; length: number; entries: number; textTick: number; text: string }

/** A frame for all viewers of a group, built at most once a tick. */
type SharedFrame = {
  /** The last tick for which it was built. */
  tick: number
  /** Undefined if there are no changes. */
  frame: Uint8Array | undefined
  /** The number of moves in it. */
  entries: number
}

/** The shared state of viewers in one cell with the same radius and kind of frame. */
export type ViewerGroup = {
  /** The last tick in which the group was used. */
  tick: number
  /** With the moves of this tick, and with those of the last two ticks. */
  readonly frames: readonly [SharedFrame, SharedFrame]
  /** Whether the frames of this tick have `appeared` or `gone` entries. */
  hasChanges: boolean
  /** A frame without moves for viewers that read too slowly. Built on demand. */
  changesTick: number
  changesFrame: Uint8Array | undefined
  /**
   * How the moves of this tick are sent: all, distant cells less often, or all moves of the last ticks because a crowd has left.
   */
  moves: 'all' | 'crowded' | 'flush'
  /** The same for the next tick. */
  nextMoves: 'all' | 'crowded' | 'flush'
}

const createSharedFrame = (): SharedFrame => ({ tick: -1, frame: undefined, entries: 0 })

export const createViewerGroup = (): ViewerGroup => ({
  tick: -1,
  frames: [createSharedFrame(), createSharedFrame()],
  hasChanges: false,
  changesTick: -1,
  changesFrame: undefined,
  moves: 'all',
  nextMoves: 'all',
})

/** A square of the world that has bodies. */
export type Cell = {
  /** The index in arrays by cell. It is reused when the cell is empty. */
  readonly index: number
  readonly x: number
  readonly z: number
  readonly bodies: Body[]
  /** The last tick in which a body moved in or into the cell. */
  movedTick: number
  /** `CellMoves` without its moves. */
  readonly prefix: Uint8Array
  /** By window, see `moveWindows`. */
  readonly encoded: EncodedMoves[]
  /** The indexes of occupied cells in view from here, by radius. Created on demand. */
  readonly near: (number[] | undefined)[]
  /** The viewers in this cell with the same view, by radius and kind of frame. */
  readonly groups: (ViewerGroup | undefined)[]
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

/** The distance in cells. A diagonal step counts as one. */
export const cellDistance = (a: Cell, b: Cell): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.z - b.z))

/** A place in blocks, with yaw (0 to 360) and pitch (-90 to 90) in degrees. */
export type Placement = { x: number; y: number; z: number; yaw: number; pitch: number }

/** The body of a player, as others see it. Its fields change in place, because thousands of bodies move twenty times a second. */
export type Body = Placement & {
  /** The number of this player in frames, equal for all viewers. */
  readonly ref: number
  readonly playerId: string
  displayName: string
  /** Absent while the body is not in the world. */
  cell: Cell | undefined
  /** The index among the bodies of its cell. */
  slot: number
  movedTick: number
  /** The tick of its last change of cell, join, leave or rename. */
  touchedTick: number
  /** The cell that viewers know, or `absent`. */
  toldX: number
  toldZ: number
  renamed: boolean
  /** The `Players.appeared` element with tag and length. Its position is that of `introTick`. */
  intro: Buffer
  introTick: number
}

/** A cell coordinate outside all views. */
export const absent = 0x7fffffff

const appearedTag = 0x1a
const positionTag = 0x22
const positionLength = 37
const positionFieldTags = [0x09, 0x11, 0x19] as const
const angleFieldTags = [0x25, 0x2d] as const

/** Encodes the element with a position of fixed length at its end, so that a move only rewrites numbers. */
const layOutIntro = (ref: number, playerId: string, displayName: string): Buffer => {
  const fixed = Appeared.encode({ ref, playerId, displayName }).finish()
  const length = fixed.length + 2 + positionLength
  const lengthBytes = length < 128 ? [length] : [(length & 127) | 128, length >>> 7]
  // Not from the pool of Node: a small slice would keep its whole 8 KiB block alive.
  const intro = Buffer.allocUnsafeSlow(1 + lengthBytes.length + length)
  intro.set([appearedTag, ...lengthBytes])
  intro.set(fixed, 1 + lengthBytes.length)
  intro.set([positionTag, positionLength], intro.length - positionLength - 2)
  return intro.fill(0, intro.length - positionLength)
}

const writePosition = (intro: Buffer, { x, y, z, yaw, pitch }: Placement): void => {
  let at = intro.length - positionLength
  at = intro.writeUInt8(positionFieldTags[0], at)
  at = intro.writeDoubleLE(x, at)
  at = intro.writeUInt8(positionFieldTags[1], at)
  at = intro.writeDoubleLE(y, at)
  at = intro.writeUInt8(positionFieldTags[2], at)
  at = intro.writeDoubleLE(z, at)
  at = intro.writeUInt8(angleFieldTags[0], at)
  at = intro.writeFloatLE(yaw, at)
  at = intro.writeUInt8(angleFieldTags[1], at)
  intro.writeFloatLE(pitch, at)
}

/** A body that is not in the world yet. */
export const createBody = (ref: number, playerId: string, displayName: string, at: Placement): Body => ({
  ref,
  playerId,
  displayName,
  x: at.x,
  y: at.y,
  z: at.z,
  yaw: at.yaw,
  pitch: at.pitch,
  cell: undefined,
  slot: 0,
  movedTick: Number.MIN_SAFE_INTEGER,
  touchedTick: -1,
  toldX: absent,
  toldZ: absent,
  renamed: false,
  intro: layOutIntro(ref, playerId, displayName),
  introTick: -1,
})

/** Renames the body. Viewers get a new `appeared`. */
export const renameBody = (body: Body, displayName: string): void => {
  body.displayName = displayName
  body.intro = layOutIntro(body.ref, body.playerId, displayName)
  body.introTick = -1
}

/** The `appeared` element of a body as of `tick`. It is encoded at most once a tick and valid until the next tick. */
export const introOf = (body: Body, tick: number): Buffer => {
  if (body.introTick < 0 || body.introTick < body.movedTick) writePosition(body.intro, body)
  body.introTick = tick
  return body.intro
}

/** The same as JSON text. */
export const introTextOf = (body: Body): string => {
  const { ref, playerId, displayName, x, y, z, yaw, pitch } = body
  return JSON.stringify(Appeared.toJSON({ ref, playerId, displayName, position: { x, y, z, yaw, pitch } }))
}
