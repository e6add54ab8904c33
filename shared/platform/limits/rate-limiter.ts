import { RateLimiterMemory } from 'rate-limiter-flexible'

/** At most `max` in each window of `perSeconds` for one key. */
type RateLimit = { readonly max: number; readonly perSeconds: number }

/** `windowMs` is the time until the window ends and the count restarts. */
export type RateDecision =
  | { readonly allowed: true; readonly windowMs: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

/** Counts across all processes. Throws AppError `unavailable` if the counter is out of reach. */
export type RateLimiter = {
  /**
   * Adds `uses` to the count of `key` in `bucket` (a short constant name), and returns whether the count is within `limit`. `uses`
   * defaults to 1; a negative number gives uses back.
   */
  consume(bucket: string, key: string, limit: RateLimit, uses?: number): Promise<RateDecision>
  close(): Promise<void>
}

/**
 * Whether the count of a window, including this use, is within `limit`. Otherwise returns the seconds until the window ends, rounded
 * up, at least 1.
 */
export const decideRate = (
  { consumedPoints, msBeforeNext }: { readonly consumedPoints: number; readonly msBeforeNext: number },
  { max }: RateLimit,
): RateDecision =>
  consumedPoints <= max
    ? { allowed: true, windowMs: Math.max(0, msBeforeNext) }
    : { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }

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
