import type { Clock } from '../../shared/kernel/clock.ts'
import { type ChunkFrames, createChunkGoneFrame } from './chunk-frames.ts'
import {
  type ChunkView,
  type ChunkViewer,
  createChunkView,
  faceAhead,
  hasColumn,
  isOutOfPlace,
  isUnsent,
  markSent,
  setViewRadius,
} from './chunk-view.ts'
import { layOutView, letGoOfAll } from './lay-out-view.ts'
import type { LoadedWorld } from './loaded-world.ts'
import { createViewOrders } from './view-order.ts'

/** What one client may be sent in a tick. */
const columnsPerTick = 24
const bytesPerTick = 192 * 1024
const gonePerTick = 96

/** No more for a client for which so much waits: far below what would close it. */
const bufferedBytesMax = 256 * 1024

/** What a tick may spend on columns of all clients together, in milliseconds; those who were not served begin the next. */
const stepBudgetMs = 8

/** Columns on their way to the clients. Owned by the game loop. */
export type ChunkStreaming = {
  /** A client that has no column yet. */
  open(viewer: ChunkViewer): ChunkView
  /** The client is gone, or begins anew. */
  close(view: ChunkView): void
  /** From 1 to 16 columns to each side. */
  setRadius(view: ChunkView, chunks: number): void
  /**
   * Sends what the clients lack, nearest and in front first, and tells them what is out of view. Once in a tick, after its edits: a Chunk
   * holds all of them, and is followed by those of later ticks only.
   */
  step(tick: number): void
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

/** Whether there is nothing to do for a view; all that most of them cost in a tick. */
const isSettled = (view: ChunkView, arrived: number): boolean =>
  !isOutOfPlace(view) && view.gone.length === 0 && (view.unsent === 0 || view.lookedAt === arrived)

const hasRoom = ({ sink }: ChunkView): boolean => sink.bufferedBytes() < bufferedBytesMax && !sink.isCongested()

// Short frames go out as one piece: a write costs the same whatever is in it.
const sendGone = (view: ChunkView): void => {
  const { gone, sink } = view
  if (!hasRoom(view)) return
  sink.sendFrame(Buffer.concat(gone.splice(0, gonePerTick).map((pos) => createChunkGoneFrame(pos, sink.kind))))
}

export const createChunkStreaming = ({ loaded, frames, clock }: ChunkStreamingDeps): ChunkStreaming => {
  const views: ChunkView[] = []
  const orderOf = createViewOrders()
  let first = 0
  let sent = 0

  /** The bytes of the column, or 0 when it is not in memory yet. */
  const sendColumn = (view: ChunkView, cx: number, cz: number): number => {
    const column = loaded.find(cx, cz)
    if (column === undefined) return 0
    const frame = frames.frameOf(column, view.sink.kind)
    // Left out only where the connection is about to close.
    view.sink.sendFrame(frame)
    markSent(view, cx, cz)
    sent += 1
    return frame.length
  }

  const sendColumns = (view: ChunkView, arrived: number): void => {
    faceAhead(view)
    const { dx, dz } = orderOf(view.laidOutRadius, view.direction)
    let columns = 0
    let bytes = 0
    for (let i = 0; i < dx.length && view.unsent > 0; i += 1) {
      const cx = view.cx + (dx[i] ?? 0)
      const cz = view.cz + (dz[i] ?? 0)
      if (!isUnsent(view, cx, cz)) continue
      if (columns === columnsPerTick || bytes >= bytesPerTick || !hasRoom(view)) return
      const length = sendColumn(view, cx, cz)
      bytes += length
      if (length > 0) columns += 1
    }
    view.lookedAt = arrived
  }

  // In one write: that costs about as much for twenty columns as for one.
  const serve = (view: ChunkView, arrived: number): void => {
    if (isOutOfPlace(view)) layOutView(view, loaded)
    view.sink.gather(() => {
      // A column that went and came back is told of in that order.
      if (view.gone.length > 0) sendGone(view)
      if (view.gone.length === 0 && view.unsent > 0) sendColumns(view, arrived)
    })
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
        if (view === undefined || isSettled(view, arrived)) continue
        if (clock.monotonic() >= deadlineMs) {
          first = at
          return
        }
        serve(view, arrived)
      }
    },
    has: hasColumn,
    viewersOf: (cx, cz) => views.filter((view) => hasColumn(view, cx, cz)),
    stats: () => ({ views: views.length, sent, encoded: frames.encoded() }),
  }
}
