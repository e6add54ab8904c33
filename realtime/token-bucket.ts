/** A budget that refills evenly up to its burst; times in milliseconds of a clock that never goes back. */
export type TokenBucket = {
  /** Whether `cost` could be paid; nothing is taken when not. */
  take(cost: number, nowMs: number): boolean
}

export const createTokenBucket = (perSecond: number, burst: number, startMs: number): TokenBucket => {
  // Fields of an object are changed in place; fractions in variables would be allocated anew each time, for each message.
  const state = { level: burst, at: startMs }
  return {
    take: (cost, nowMs) => {
      const level = Math.min(burst, state.level + ((nowMs - state.at) * perSecond) / 1000)
      const isPaid = cost <= level
      state.level = isPaid ? level - cost : level
      state.at = nowMs
      return isPaid
    },
  }
}
