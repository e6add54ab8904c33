import type { ServerConfig } from '../shared/configs/server-config.ts'

/** A budget that refills evenly up to its burst; times in milliseconds of a clock that never goes back. */
export type TokenBucket = {
  /** Whether `cost` could be paid; nothing is taken when not. */
  take(cost: number, nowMs: number): boolean
}

export type BucketLimits = Pick<ServerConfig['realtime'], 'messagesPerSecond' | 'messageBurst'>

/** Full at the start. The limits are asked for at each use, so that others count from then on. */
export const createTokenBucket = (limits: () => BucketLimits, startMs: number): TokenBucket => {
  // Fields of an object are changed in place; fractions in variables would be allocated anew each time, for each message.
  const state = { level: limits().messageBurst, at: startMs }
  return {
    take: (cost, nowMs) => {
      const { messagesPerSecond, messageBurst } = limits()
      const level = Math.min(messageBurst, state.level + ((nowMs - state.at) * messagesPerSecond) / 1000)
      const isPaid = cost <= level
      state.level = isPaid ? level - cost : level
      state.at = nowMs
      return isPaid
    },
  }
}
