import type { Clock } from '../../../shared/kernel/clock.ts'
import { chunkCoordinate, isChunkPos } from '../../../shared/rules/positions.ts'
import type { LoadedWorld } from '../columns/loaded-world.ts'
import { type ChunkFrames, createChunkGoneFrame } from './chunk-frames.ts'
import {
  type ChunkView,
  type ChunkViewer,
  createChunkView,
  faceAhead,
  hasColumn,
  isOutOfPlace,
  isTurned,
  isUnsent,
  isWithin,
  markSent,
  setViewRadius,
} from './chunk-view.ts'
import { createViewColumns, hasRoomFor, held, sent, setState, stateOf, untouched } from './view-columns.ts'
import { createViewOrders } from './view-order.ts'

type Holding = Pick<LoadedWorld, 'hold' | 'letGo'>

const give = (view: ChunkView, loaded: Holding, cx: number, cz: number): void => {
  const state = stateOf(view.columns, cx, cz)
  if (state === untouched) return
  setState(view.columns, cx, cz, untouched)
  const pos = { cx, cz }
  loaded.letGo(pos, view)
  if (state === sent) view.gone.push(pos)
}

const take = (view: ChunkView, loaded: Holding, cx: number, cz: number): void => {
  if (stateOf(view.columns, cx, cz) === untouched) {
    const pos = { cx, cz }
    if (!isChunkPos(pos)) return
    setState(view.columns, cx, cz, held)
    loaded.hold(pos, view)
  }
  if (stateOf(view.columns, cx, cz) === held) view.unsent += 1
}

/** Enlarges the storage if columns up to `reach` from the new square do not fit. */
const makeRoom = (view: ChunkView, reach: number, before: { cx: number; cz: number; reach: number }): void => {
  const { columns } = view
  if (hasRoomFor(columns, reach)) return
  view.columns = createViewColumns(reach)
  for (let cx = before.cx - before.reach; cx <= before.cx + before.reach; cx += 1)
    for (let cz = before.cz - before.reach; cz <= before.cz + before.reach; cz += 1) {
      const state = stateOf(columns, cx, cz)
      if (state !== untouched) setState(view.columns, cx, cz, state)
    }
}

/** Releases all columns. The client gets no message. */
const letGoOfAll = (view: ChunkView, loaded: Holding): void => {
  const reach = view.laidOutRadius + 1
  for (let cx = view.cx - reach; cx <= view.cx + reach; cx += 1)
    for (let cz = view.cz - reach; cz <= view.cz + reach; cz += 1) give(view, loaded, cx, cz)
  view.gone = []
  view.unsent = 0
  view.laidOutRadius = -1
}

/** Moves the square to the player: holds new columns, and releases those more than one column outside. */
const layOutView = (view: ChunkView, loaded: Holding, tick: number): void => {
  const { cx: wasX, cz: wasZ, laidOutRadius, radius } = view
  const wasReach = laidOutRadius + 1
  view.cx = chunkCoordinate(view.body.x)
  view.cz = chunkCoordinate(view.body.z)
  view.laidOutRadius = radius
  view.lookedAt = -1
  faceAhead(view, tick)
  for (let cx = wasX - wasReach; cx <= wasX + wasReach; cx += 1)
    for (let cz = wasZ - wasReach; cz <= wasZ + wasReach; cz += 1)
      if (!isWithin(view, cx, cz, radius + 1)) give(view, loaded, cx, cz)
  makeRoom(view, radius + 1, { cx: wasX, cz: wasZ, reach: wasReach })
  view.unsent = 0
  for (let cx = view.cx - radius; cx <= view.cx + radius; cx += 1)
    for (let cz = view.cz - radius; cz <= view.cz + radius; cz += 1) take(view, loaded, cx, cz)
}

/** The limits of one client in a tick. */
const columnsPerTick = 24
const bytesPerTick = 192 * 1024
const gonePerTick = 96

/** The maximum number of columns that a view reports as nearer: those that its client gets next. */
const announcedColumns = 32

/**
 * The time that a tick may spend on columns of all clients, in milliseconds. Clients that are not served come first in the next tick.
 */
const stepBudgetMs = 8

/** Sends columns to the clients. Owned by the game loop. */
export type ChunkStreaming = {
  /** Adds a client that has no columns. */
  open(viewer: ChunkViewer): ChunkView
  /** The client has left or starts again. */
  close(view: ChunkView): void
  /** Sets the radius, from 1 to 16 columns. */
  setRadius(view: ChunkView, chunks: number): void
  /**
   * Sends missing columns, nearest and in front first, and ChunkGone for columns out of view. Call it once a tick, after the edits:
   * a Chunk includes all of them, and only later edits follow.
   */
  step(tick: number): void
  /** The block types have changed. Columns that are sent from now on use them; clients keep their columns. */
  blocksChanged(): void
  /** Whether the client has the column and gets its changes. */
  has(view: ChunkView, cx: number, cz: number): boolean
  /** The views whose clients have the column. */
  viewersOf(cx: number, cz: number): ChunkView[]
  readonly stats: () => { readonly views: number; readonly sent: number; readonly encoded: number }
}

export type ChunkStreamingDeps = {
  readonly loaded: LoadedWorld
  readonly frames: ChunkFrames
  readonly clock: Pick<Clock, 'monotonic'>
}

/** The frames of one tick for one client. They are written together, because the cost of a write hardly depends on its size. */
type Parcel = { readonly frames: Uint8Array[]; bytes: number }

const add = (parcel: Parcel, frame: Uint8Array): void => {
  parcel.frames.push(frame)
  parcel.bytes += frame.length
}

/** Always arrives, unless the connection is about to close. */
const post = ({ frames, bytes }: Parcel, { sink }: ChunkView): void => {
  const [only] = frames
  if (only !== undefined) sink.sendFrame(frames.length === 1 ? only : Buffer.concat(frames, bytes))
}

const packGone = ({ gone, sink }: ChunkView, parcel: Parcel): void => {
  for (const pos of gone.splice(0, gonePerTick)) add(parcel, createChunkGoneFrame(pos, sink.kind))
}

export const createChunkStreaming = ({ loaded, frames, clock }: ChunkStreamingDeps): ChunkStreaming => {
  const views: ChunkView[] = []
  const orderOf = createViewOrders()
  let first = 0
  let sent = 0

  /**
   * Whether a missing column may have been loaded. It avoids searching the columns of a thousand waiting views for each new column.
   */
  const hasNews = (view: ChunkView, arrived: number): boolean => {
    if (view.lookedAt === arrived) return false
    if (view.lookedAt === -1 || loaded.hasArrivedNear(view.lookedAt, view, view.laidOutRadius)) return true
    view.lookedAt = arrived
    return false
  }

  /** Whether a view has nothing to do, which is the usual case. */
  const isSettled = (view: ChunkView, arrived: number): boolean =>
    !isOutOfPlace(view) && view.gone.length === 0 && (view.unsent === 0 || !hasNews(view, arrived))

  const packColumns = (view: ChunkView, arrived: number, { parcel, bytesMax }: { parcel: Parcel; bytesMax: number }): void => {
    const { dx, dz } = orderOf(view.laidOutRadius, view.direction)
    let columns = 0
    for (let i = 0; i < dx.length && view.unsent > 0; i += 1) {
      const cx = view.cx + (dx[i] ?? 0)
      const cz = view.cz + (dz[i] ?? 0)
      if (!isUnsent(view, cx, cz)) continue
      if (columns === columnsPerTick || parcel.bytes >= bytesMax) return
      const column = loaded.find(cx, cz)
      if (column === undefined) continue
      add(parcel, frames.frameOf(column, view.sink.kind))
      markSent(view, cx, cz)
      columns += 1
      sent += 1
    }
    view.lookedAt = arrived
  }

  /** Moves the nearest columns, and those ahead, to the front of the loading queue. */
  const announce = (view: ChunkView): void => {
    const { dx, dz } = orderOf(view.laidOutRadius, view.direction)
    let rest = Math.min(view.unsent, announcedColumns)
    for (let i = 0; i < dx.length && rest > 0; i += 1) {
      const cx = view.cx + (dx[i] ?? 0)
      const cz = view.cz + (dz[i] ?? 0)
      if (!isUnsent(view, cx, cz)) continue
      loaded.comeNearer({ cx, cz }, view)
      rest -= 1
    }
  }

  const serve = (view: ChunkView, arrived: number, tick: number): void => {
    if (isOutOfPlace(view)) {
      layOutView(view, loaded, tick)
      announce(view)
    }
    const bytesMax = Math.min(bytesPerTick, view.sink.spareBytes())
    if (bytesMax <= 0) return
    const parcel: Parcel = { frames: [], bytes: 0 }
    // If a column left and returned, ChunkGone must come before Chunk.
    if (view.gone.length > 0) packGone(view, parcel)
    if (view.gone.length === 0 && view.unsent > 0) packColumns(view, arrived, { parcel, bytesMax })
    post(parcel, view)
  }

  return {
    open: (viewer) => {
      const view = createChunkView(viewer)
      view.slot = views.push(view) - 1
      return view
    },
    close: (view) => {
      if (view.slot === -1) return
      const last = views.pop()
      if (last !== undefined && last !== view) {
        views[view.slot] = last
        last.slot = view.slot
      }
      view.slot = -1
      letGoOfAll(view, loaded)
    },
    setRadius: setViewRadius,
    step: (tick) => {
      frames.step(tick)
      const { arrived } = loaded.stats()
      const deadlineMs = clock.monotonic() + stepBudgetMs
      const count = views.length
      const begin = first < count ? first : 0
      for (let i = 0; i < count; i += 1) {
        const at = begin + i < count ? begin + i : begin + i - count
        const view = views[at]
        if (view === undefined) continue
        const hasTurned = isTurned(view, tick)
        const isAtRest = isSettled(view, arrived)
        if (isAtRest && !hasTurned) continue
        if (clock.monotonic() >= deadlineMs) {
          first = at
          return
        }
        if (hasTurned && !isOutOfPlace(view)) {
          faceAhead(view, tick)
          announce(view)
        }
        if (!isAtRest) serve(view, arrived, tick)
      }
    },
    blocksChanged: frames.clear,
    has: hasColumn,
    viewersOf: (cx, cz) => views.filter((view) => hasColumn(view, cx, cz)),
    stats: () => ({ views: views.length, sent, encoded: frames.encoded() }),
  }
}
