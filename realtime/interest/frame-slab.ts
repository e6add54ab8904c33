const slabBytes = 64 * 1024
const ownBytes = 8 * 1024

/** Bytes behind a frame that may be written before the next is taken. */
export const slackBytes = 4

/** Memory for frames, cut from large pieces: a thousand frames a tick in pieces of their own would keep the collector busy. */
export type FrameSlab = {
  /** Bytes that nobody else has, not cleared, with `slackBytes` behind them that nobody has yet. */
  take(bytes: number): Buffer
}

export const createFrameSlab = (): FrameSlab => {
  let slab = new ArrayBuffer(slabBytes)
  let used = 0
  return {
    take: (bytes) => {
      if (bytes > ownBytes) return Buffer.from(new ArrayBuffer(bytes + slackBytes), 0, bytes)
      if (used + bytes + slackBytes > slabBytes) {
        slab = new ArrayBuffer(slabBytes)
        used = 0
      }
      const taken = Buffer.from(slab, used, bytes)
      used += bytes
      return taken
    },
  }
}
