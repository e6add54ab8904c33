import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { RateLimiter } from './rate-limiter.ts'
import { decideRate } from './rate-limiter.ts'

/**
 * Counts in this process only, in fixed windows that start with the first use, by the machine's clock. A key uses memory until its
 * window ends.
 */
export const createMemoryRateLimiter = (): RateLimiter => {
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1 })
  return {
    consume: async (bucket, key, limit, uses = 1) =>
      decideRate(await counter.consume(`${bucket}:${key}`, uses, { customDuration: limit.perSeconds }), limit),
    close: async () => undefined,
  }
}
