import { type ChunkPos, chunkCoordinate, isChunkPos } from '../../shared/worlds/positions.ts'
import type { FrameSink } from '../interest/viewer.ts'
import type { ColumnHolder, LoadedWorld } from './loaded-world.ts'
import { type Ahead, aheadOf, directionOf, rankOf } from './view-order.ts'

/** The furthest that anybody may see, in columns. */
const radiusMax = 16

/** Columns are kept by the lowest bits of their coordinates, which no two within a view share. */
const sideBits = 6
const side = 2 ** sideBits

/** What a view has to do with a column: nothing; it holds it in memory; its client has it. */
const untouched = 0
const held = 1
const sent = 2

/** Whose view it is, and where its columns go. `viewRadius` in columns. */
export type ChunkViewer = {
  readonly body: { readonly x: number; readonly z: number; readonly yaw: number }
  readonly sink: Pick<FrameSink, 'kind' | 'sendFrame' | 'isCongested' | 'bufferedBytes'>
  readonly viewRadius: number
}

/**
 * What one client has of the world: the square of columns around its player, and beyond it by one column those that it had before. Flat:
 * a thousand of these are looked at in every tick.
 */
export type ChunkView = ColumnHolder & {
  readonly body: ChunkViewer['body']
  readonly sink: ChunkViewer['sink']
  radius: number
  /** The square as it was last laid out; a radius of -1: not yet. */
  cx: number
  cz: number
  laidOutRadius: number
  direction: number
  ahead: Ahead
  readonly states: Uint8Array
  /** Columns of the square that the client does not have. */
  unsent: number
  /** Columns that the client has yet to be told of that they are gone. */
  gone: ChunkPos[]
  /** How many columns had come into memory when every unsent one was looked for in vain; -1: look. */
  lookedAt: number
  /** Its place among all views. */
  slot: number
}

const clampRadius = (chunks: number): number => Math.max(1, Math.min(Math.floor(chunks), radiusMax))

export const createChunkView = ({ body, sink, viewRadius }: ChunkViewer): ChunkView => {
  const view: ChunkView = {
    body,
    sink,
    radius: clampRadius(viewRadius),
    cx: 0,
    cz: 0,
    laidOutRadius: -1,
    direction: 0,
    ahead: aheadOf(0),
    states: new Uint8Array(side * side),
    unsent: 0,
    gone: [],
    lookedAt: -1,
    slot: -1,
    distanceTo: ({ cx, cz }) => rankOf(cx - view.cx, cz - view.cz, view.ahead),
  }
  return view
}

/** From the next layout on. */
export const setViewRadius = (view: ChunkView, chunks: number): void => {
  view.radius = clampRadius(chunks)
}

const indexOf = (cx: number, cz: number): number => ((cx & (side - 1)) << sideBits) | (cz & (side - 1))

const isWithin = (view: ChunkView, cx: number, cz: number, radius: number): boolean =>
  Math.abs(cx - view.cx) <= radius && Math.abs(cz - view.cz) <= radius

/** Whether the client has that column. */
export const hasColumn = (view: ChunkView, cx: number, cz: number): boolean =>
  isWithin(view, cx, cz, view.laidOutRadius + 1) && view.states[indexOf(cx, cz)] === sent

/** Whether a column of the square is still to be sent. */
export const isUnsent = ({ states }: ChunkView, cx: number, cz: number): boolean => states[indexOf(cx, cz)] === held

export const markSent = (view: ChunkView, cx: number, cz: number): void => {
  view.states[indexOf(cx, cz)] = sent
  view.unsent -= 1
}

/** Whether the player is in another column than when the square was laid out, or sees further or less far. */
export const isOutOfPlace = ({ body, cx, cz, radius, laidOutRadius }: ChunkView): boolean =>
  chunkCoordinate(body.x) !== cx || chunkCoordinate(body.z) !== cz || radius !== laidOutRadius

/** Notes which way the player looks. */
export const faceAhead = (view: ChunkView): void => {
  const direction = directionOf(view.body.yaw)
  if (direction === view.direction) return
  view.direction = direction
  view.ahead = aheadOf(direction)
}

const give = (view: ChunkView, loaded: LoadedWorld, cx: number, cz: number): void => {
  const at = indexOf(cx, cz)
  const state = view.states[at]
  if (state === untouched) return
  view.states[at] = untouched
  const pos = { cx, cz }
  loaded.letGo(pos, view)
  if (state === sent) view.gone.push(pos)
}

const take = (view: ChunkView, loaded: LoadedWorld, cx: number, cz: number): void => {
  const at = indexOf(cx, cz)
  if (view.states[at] === untouched) {
    const pos = { cx, cz }
    if (!isChunkPos(pos)) return
    view.states[at] = held
    loaded.hold(pos, view)
  }
  if (view.states[at] === held) view.unsent += 1
}

/** Lets go of every column; the client is told nothing. */
export const letGoOfAll = (view: ChunkView, loaded: LoadedWorld): void => {
  const reach = view.laidOutRadius + 1
  for (let cx = view.cx - reach; cx <= view.cx + reach; cx += 1)
    for (let cz = view.cz - reach; cz <= view.cz + reach; cz += 1) give(view, loaded, cx, cz)
  view.gone = []
  view.unsent = 0
  view.laidOutRadius = -1
}

/** Lays the square out around the player: holds what came into it, lets go of what is out of it by more than one column. */
export const layOutView = (view: ChunkView, loaded: LoadedWorld): void => {
  const { cx: wasX, cz: wasZ, laidOutRadius } = view
  const wasReach = laidOutRadius + 1
  const { radius } = view
  view.cx = chunkCoordinate(view.body.x)
  view.cz = chunkCoordinate(view.body.z)
  view.laidOutRadius = radius
  view.lookedAt = -1
  faceAhead(view)
  for (let cx = wasX - wasReach; cx <= wasX + wasReach; cx += 1)
    for (let cz = wasZ - wasReach; cz <= wasZ + wasReach; cz += 1)
      if (!isWithin(view, cx, cz, radius + 1)) give(view, loaded, cx, cz)
  view.unsent = 0
  for (let cx = view.cx - radius; cx <= view.cx + radius; cx += 1)
    for (let cz = view.cz - radius; cz <= view.cz + radius; cz += 1) take(view, loaded, cx, cz)
}
