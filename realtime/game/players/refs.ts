/** Small numbers that stand for players in frames; one is given out again only after every viewer was told that it is gone. */
export type Refs = {
  take(): number
  release(ref: number): void
  /** After a flush: what was released before it is free. */
  settle(): void
}

/** Numbers from 1; 16 bits of them are enough for the sessions that a node may have. */
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
