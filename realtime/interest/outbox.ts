import type { FrameSink } from '../protocol/messages.ts'
import type { Viewer } from './viewer.ts'

/**
 * The frames of one tick, which are written together at the end. Writing each frame immediately would slow down encoding because of
 * the processor caches, and would wake the reader for each frame.
 */
type Outbox = {
  /** Adds a frame that must arrive. */
  push(viewer: Viewer, frame: Uint8Array): void
  /** Adds a frame of movement. A viewer that reads too slowly gets the result of `changesFor` instead. */
  pushMovement(viewer: Viewer, frame: Uint8Array): void
  /** Writes all frames. Returns true if the system still reads any of them. */
  writeOut(): boolean
}

export const createOutbox = (changesFor: (viewer: Viewer) => Uint8Array | undefined): Outbox => {
  const viewers: Viewer[] = []
  /** Copied from the viewers, to avoid a cache miss for each viewer later. */
  const sinks: FrameSink[] = []
  const frames: Uint8Array[] = []
  const isMovement: boolean[] = []

  const add = (viewer: Viewer, frame: Uint8Array, movement: boolean): void => {
    viewers.push(viewer)
    sinks.push(viewer.sink)
    frames.push(frame)
    isMovement.push(movement)
  }

  const writeMovement = (at: number, sink: FrameSink, frame: Uint8Array): boolean => {
    const fate = sink.sendMovement(frame)
    if (fate !== 'left-out') return fate === 'waiting'
    const viewer = viewers[at]
    const changes = viewer && changesFor(viewer)
    return changes !== undefined && sink.sendFrame(changes) === 'waiting'
  }

  return {
    push: (viewer, frame) => add(viewer, frame, false),
    pushMovement: (viewer, frame) => add(viewer, frame, true),
    writeOut: () => {
      let isWaiting = false
      for (let i = 0; i < frames.length; i += 1) {
        const sink = sinks[i]
        const frame = frames[i]
        if (sink === undefined || frame === undefined) continue
        const waits = isMovement[i] === true ? writeMovement(i, sink, frame) : sink.sendFrame(frame) === 'waiting'
        isWaiting = waits || isWaiting
      }
      viewers.length = 0
      sinks.length = 0
      frames.length = 0
      isMovement.length = 0
      return isWaiting
    },
  }
}

const pieceBytes = 256 * 1024
const ownBytes = 32 * 1024
/** The number of pieces that are reused for the next tick. A thousand players need much less. */
const piecesMax = 16

/** The number of bytes after a frame that may be overwritten until the next frame is taken. */
export const slackBytes = 4

/**
 * Memory for the frames of one tick, in large pieces that the next tick reuses. Allocating a thousand frames each tick would be
 * expensive.
 */
export type FrameSlab = {
  /** Returns unused memory, not zeroed, followed by `slackBytes` free bytes. */
  take(bytes: number): Buffer
  /** A view on the whole memory of `frame`. */
  viewOf(frame: Buffer): DataView
  /** The system still reads a frame of this tick, so its memory is not reused. */
  keep(): void
  /** Starts a tick. Memory of earlier ticks may be reused. */
  reuse(): void
}

export const createFrameSlab = (): FrameSlab => {
  let pieces: Buffer[] = []
  let current = 0
  let used = 0
  let mustKeep = false

  const nextPiece = (): Buffer => {
    const piece = pieces[current] ?? Buffer.allocUnsafeSlow(pieceBytes)
    if (current < piecesMax) pieces[current] = piece
    return piece
  }
  let piece = nextPiece()
  let view = new DataView(piece.buffer)

  return {
    take: (bytes) => {
      if (bytes > ownBytes) return Buffer.allocUnsafeSlow(bytes + slackBytes).subarray(0, bytes)
      if (used + bytes + slackBytes > pieceBytes) {
        current += 1
        used = 0
        piece = nextPiece()
      }
      const start = used
      used += bytes
      return piece.subarray(start, used)
    },
    viewOf: (frame) => {
      if (view.buffer !== frame.buffer) view = new DataView(frame.buffer)
      return view
    },
    keep: () => {
      mustKeep = true
    },
    reuse: () => {
      if (mustKeep) pieces = []
      mustKeep = false
      current = 0
      used = 0
      piece = nextPiece()
    },
  }
}
