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
