/** Small numbers for players in frames. A number is reused only after all viewers know that its player is gone. */
export type Refs = {
  take(): number
  release(ref: number): void
  /** Call it after a flush. Numbers that were released before it become free. */
  settle(): void
}

/** Starts at 1. The sessions of a node fit into 16 bits. */
export const createRefs = (): Refs => {
  let next = 1
  let free: number[] = []
  let released: number[] = []
  return {
    take: () => {
      const ref = free.pop() ?? next
      if (ref === next) next += 1
      return ref
    },
    release: (ref) => {
      released.push(ref)
    },
    settle: () => {
      if (released.length === 0) return
      free = free.concat(released)
      released = []
    },
  }
}
