/** A budget that refills evenly up to its burst; times in milliseconds of a clock that never goes back. */
export type TokenBucket = {
  /** Whether `cost` could be paid; nothing is taken when not. */
  take(cost: number, nowMs: number): boolean
}

export const createTokenBucket = (perSecond: number, burst: number, startMs: number): TokenBucket => {
  let level = burst
  let at = startMs
  return {
    take: (cost, nowMs) => {
      level = Math.min(burst, level + ((nowMs - at) * perSecond) / 1000)
      at = nowMs
      if (cost > level) return false
      level -= cost
      return true
    },
  }
}
