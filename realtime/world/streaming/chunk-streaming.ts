import type { Clock } from '../../../shared/kernel/clock.ts'
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
  markSent,
  setViewRadius,
} from './chunk-view.ts'
import { layOutView, letGoOfAll } from './lay-out-view.ts'
import { createViewOrders } from './view-order.ts'

/** What one client may be sent in a tick. */
const columnsPerTick = 24
const bytesPerTick = 192 * 1024
const gonePerTick = 96

/** Columns that a view says it came nearer to, at the most: those that its client gets next. */
const announcedColumns = 32

/** What a tick may spend on columns of all clients together, in milliseconds; those who were not served begin the next. */
const stepBudgetMs = 8

/** Columns on their way to the clients. Owned by the game loop. */
export type ChunkStreaming = {
  /** A client that has no column yet. */
  open(viewer: ChunkViewer): ChunkView
  /** The client is gone, or starts again. */
  close(view: ChunkView): void
  /** From 1 to 16 columns to each side. */
  setRadius(view: ChunkView, chunks: number): void
  /**
   * Sends what the clients lack, nearest and in front first, and tells them what is out of view. Once in a tick, after its edits: a Chunk
   * holds all of them, and is followed by those of later ticks only.
   */
  step(tick: number): void
  /** The kinds of blocks are other than before. What clients have stays; columns that are sent from now on show it. */
  blocksChanged(): void
  /** Whether the client has the column, and is to hear of its changes. */
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

/** Frames for one client. They go out as one piece: a write costs about the same whatever is in it. */
type Parcel = { readonly frames: Uint8Array[]; bytes: number }

const add = (parcel: Parcel, frame: Uint8Array): void => {
  parcel.frames.push(frame)
  parcel.bytes += frame.length
}

/** Sent for certain: it is left out only where the connection is about to close. */
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

  /** Whether something that the view lacks may be here. A thousand who wait for new land do not look through all of theirs for each piece of it. */
  const hasNews = (view: ChunkView, arrived: number): boolean => {
    if (view.lookedAt === arrived) return false
    if (view.lookedAt === -1 || loaded.hasArrivedNear(view.lookedAt, view, view.laidOutRadius)) return true
    view.lookedAt = arrived
    return false
  }

  /** Whether there is nothing to do for a view; all that most of them cost in a tick. */
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

  /** What lies nearest, or ahead now, is not to wait behind what it was queued behind before. */
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
    // A column that went and came back is told of in that order.
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
