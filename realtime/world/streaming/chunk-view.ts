import { type ChunkPos, chunkCoordinate } from '../../../shared/rules/positions.ts'
import type { FrameSink } from '../../protocol/messages.ts'
import type { ColumnHolder } from '../columns/loaded-world.ts'
import { createViewColumns, held, sent, setState, stateOf, type ViewColumns } from './view-columns.ts'
import { createHeading, type Heading, headingOf } from './view-heading.ts'
import { type Ahead, aheadOf, rankOf } from './view-order.ts'

/** The largest view radius, in columns. */
const radiusMax = 16

/** Each view checks its direction in one of this many ticks, so that a thousand turning players do not fill one tick. */
const turnTicks = 10

/** The player and the connection of a view. `viewRadius` is in columns. */
export type ChunkViewer = {
  readonly body: { readonly x: number; readonly z: number; readonly yaw: number }
  readonly sink: Pick<FrameSink, 'kind' | 'sendFrame' | 'spareBytes'>
  readonly viewRadius: number
}

/**
 * The columns of one client: the square around its player, and one more ring of columns that it had before. Flat, because each tick
 * reads a thousand of these.
 */
export type ChunkView = ColumnHolder & {
  readonly body: ChunkViewer['body']
  readonly sink: ChunkViewer['sink']
  radius: number
  /** The square at the last layout. A radius of -1: none yet. */
  cx: number
  cz: number
  laidOutRadius: number
  /** The direction that counts as ahead, of sixteen. */
  direction: number
  ahead: Ahead
  readonly heading: Heading
  columns: ViewColumns
  /** The number of columns in the square that the client does not have. */
  unsent: number
  /** Columns for which ChunkGone must be sent. */
  gone: ChunkPos[]
  /** The number of loaded columns at the last complete search for missing ones. -1: search again. */
  lookedAt: number
  /** The index among all views. */
  slot: number
}

const clampRadius = (chunks: number): number => Math.max(1, Math.min(Math.floor(chunks), radiusMax))

/** The view of a client that has no columns. */
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

/** Applies from the next layout. */
export const setViewRadius = (view: ChunkView, chunks: number): void => {
  view.radius = clampRadius(chunks)
}

/** Whether a column is within `radius` of the centre of the square. */
export const isWithin = (view: ChunkView, cx: number, cz: number, radius: number): boolean =>
  Math.abs(cx - view.cx) <= radius && Math.abs(cz - view.cz) <= radius

/** Whether the client has the column. */
export const hasColumn = (view: ChunkView, cx: number, cz: number): boolean =>
  isWithin(view, cx, cz, view.laidOutRadius + 1) && stateOf(view.columns, cx, cz) === sent

/** Whether the column is in the square and not sent yet. */
export const isUnsent = ({ columns }: ChunkView, cx: number, cz: number): boolean => stateOf(columns, cx, cz) === held

export const markSent = (view: ChunkView, cx: number, cz: number): void => {
  setState(view.columns, cx, cz, sent)
  view.unsent -= 1
}

/** Whether the player has left the column of the layout, or the radius has changed. */
export const isOutOfPlace = ({ body, cx, cz, radius, laidOutRadius }: ChunkView): boolean =>
  chunkCoordinate(body.x) !== cx || chunkCoordinate(body.z) !== cz || radius !== laidOutRadius

/** Whether a player who waits for columns moves or looks in another direction than `direction`. */
export const isTurned = (view: ChunkView, tick: number): boolean =>
  view.unsent > 0 && (tick + view.slot) % turnTicks === 0 && headingOf(view.heading, view.body, tick) !== view.direction

/** Updates the direction in which the player moves or looks. */
export const faceAhead = (view: ChunkView, tick: number): void => {
  const direction = headingOf(view.heading, view.body, tick)
  if (direction === view.direction) return
  view.direction = direction
  view.ahead = aheadOf(direction)
}
