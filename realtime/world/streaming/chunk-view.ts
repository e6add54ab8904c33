import { type ChunkPos, chunkCoordinate } from '../../../shared/rules/positions.ts'
import type { FrameSink } from '../../protocol/frame-sink.ts'
import type { ColumnHolder } from '../columns/loaded-world.ts'
import { createViewColumns, held, sent, setState, stateOf, type ViewColumns } from './view-columns.ts'
import { createHeading, type Heading, headingOf } from './view-heading.ts'
import { type Ahead, aheadOf, rankOf } from './view-order.ts'

/** The furthest that anybody may see, in columns. */
const radiusMax = 16

/** A view turns in one of so many ticks, each in its own: so a tick is not full when a thousand look round at once. */
const turnTicks = 10

/** Whose view it is, and where its columns go. `viewRadius` in columns. */
export type ChunkViewer = {
  readonly body: { readonly x: number; readonly z: number; readonly yaw: number }
  readonly sink: Pick<FrameSink, 'kind' | 'sendFrame' | 'spareBytes'>
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
  /** What counts as ahead, of sixteen directions. */
  direction: number
  ahead: Ahead
  readonly heading: Heading
  columns: ViewColumns
  /** Columns of the square that the client does not have. */
  unsent: number
  /** Columns of which the client is yet to be told that they are gone. */
  gone: ChunkPos[]
  /** How many columns had come into memory when every unsent one was looked for; -1: look. */
  lookedAt: number
  /** Its place among all views. */
  slot: number
}

const clampRadius = (chunks: number): number => Math.max(1, Math.min(Math.floor(chunks), radiusMax))

/** A view of a client that has nothing yet. */
export const createChunkView = ({ body, sink, viewRadius }: ChunkViewer): ChunkView => {
  const radius = clampRadius(viewRadius)
  const view: ChunkView = {
    body,
    sink,
    radius,
    cx: 0,
    cz: 0,
    laidOutRadius: -1,
    direction: 0,
    ahead: aheadOf(0),
    heading: createHeading(body),
    columns: createViewColumns(radius + 1),
    unsent: 0,
    gone: [],
    lookedAt: -1,
    slot: -1,
    keepsCount: true,
    distanceTo: ({ cx, cz }) => rankOf(cx - view.cx, cz - view.cz, view.ahead),
  }
  return view
}

/** From the next layout on. */
export const setViewRadius = (view: ChunkView, chunks: number): void => {
  view.radius = clampRadius(chunks)
}

/** Whether a column is no more than `radius` from where the square was laid out. */
export const isWithin = (view: ChunkView, cx: number, cz: number, radius: number): boolean =>
  Math.abs(cx - view.cx) <= radius && Math.abs(cz - view.cz) <= radius

/** Whether the client has that column. */
export const hasColumn = (view: ChunkView, cx: number, cz: number): boolean =>
  isWithin(view, cx, cz, view.laidOutRadius + 1) && stateOf(view.columns, cx, cz) === sent

/** Whether a column of the square is still to be sent. */
export const isUnsent = ({ columns }: ChunkView, cx: number, cz: number): boolean => stateOf(columns, cx, cz) === held

export const markSent = (view: ChunkView, cx: number, cz: number): void => {
  setState(view.columns, cx, cz, sent)
  view.unsent -= 1
}

/** Whether the player is in another column than when the square was laid out, or sees further or less far. */
export const isOutOfPlace = ({ body, cx, cz, radius, laidOutRadius }: ChunkView): boolean =>
  chunkCoordinate(body.x) !== cx || chunkCoordinate(body.z) !== cz || radius !== laidOutRadius

/** Whether the player, who waits for columns, goes or looks another way than what counts as ahead. */
export const isTurned = (view: ChunkView, tick: number): boolean =>
  view.unsent > 0 && (tick + view.slot) % turnTicks === 0 && headingOf(view.heading, view.body, tick) !== view.direction

/** Notes which way the player goes, or looks. */
export const faceAhead = (view: ChunkView, tick: number): void => {
  const direction = headingOf(view.heading, view.body, tick)
  if (direction === view.direction) return
  view.direction = direction
  view.ahead = aheadOf(direction)
}
