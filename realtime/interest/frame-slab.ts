const slabBytes = 64 * 1024
const ownBytes = 8 * 1024

/** Memory for frames, cut from large pieces: a thousand frames a tick in pieces of their own would keep the collector busy. */
export type FrameSlab = {
  /** Bytes that nobody else has; not cleared. */
  take(bytes: number): Buffer
}

export const createFrameSlab = (): FrameSlab => {
  let slab = new ArrayBuffer(slabBytes)
  let used = 0
  return {
    take: (bytes) => {
      if (bytes > ownBytes) return Buffer.allocUnsafeSlow(bytes)
      if (used + bytes > slabBytes) {
        slab = new ArrayBuffer(slabBytes)
        used = 0
      }
      const taken = Buffer.from(slab, used, bytes)
      used += bytes
      return taken
    },
  }
}
