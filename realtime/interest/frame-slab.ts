const pieceBytes = 256 * 1024
const ownBytes = 32 * 1024
/** Pieces that are kept for the next tick: what a crowd of a thousand needs many times over. */
const piecesMax = 16

/** Bytes behind a frame that may be written before the next is taken. */
export const slackBytes = 4

/**
 * Memory for the frames of one tick, cut from large pieces that are used again in the next. Fresh memory for a thousand frames a tick would keep the collector and the pager busy.
 */
export type FrameSlab = {
  /** Bytes that nobody else has, not cleared, with `slackBytes` behind them that nobody has yet. */
  take(bytes: number): Buffer
  /** A view on all of the memory that `frame` is in. */
  viewOf(frame: Buffer): DataView
  /** A frame of this tick is still being read by the system: nothing of this tick is used again. */
  keep(): void
  /** Begins a tick: what was taken before may be given out again. */
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
