import type { ChunkPos } from '../../../shared/rules/positions.ts'

/** The columns that were loaded, in order. */
export type ArrivalLog = {
  add(pos: ChunkPos): void
  /** The number of loaded columns since the start. */
  count(): number
  /**
   * Whether a column after the first `seen` is within `radius` columns of `center` on each axis. Also true if that was too long ago
   * to be known.
   */
  hasNear(seen: number, center: ChunkPos, radius: number): boolean
}

/** The arrivals of several ticks. */
const keptCount = 1024

export const createArrivalLog = (): ArrivalLog => {
  const cxs = new Int32Array(keptCount)
  const czs = new Int32Array(keptCount)
  let count = 0
  return {
    add: ({ cx, cz }) => {
      cxs[count % keptCount] = cx
      czs[count % keptCount] = cz
      count += 1
    },
    count: () => count,
    hasNear: (seen, { cx, cz }, radius) => {
      if (seen < count - keptCount) return true
      for (let at = seen; at < count; at += 1)
        if (Math.abs((cxs[at % keptCount] ?? 0) - cx) <= radius && Math.abs((czs[at % keptCount] ?? 0) - cz) <= radius)
          return true
      return false
    },
  }
}
