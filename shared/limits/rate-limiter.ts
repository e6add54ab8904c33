/** At most `max` in each window of `perSeconds` for one key. */
export type RateLimit = { readonly max: number; readonly perSeconds: number }

export type RateDecision = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterSeconds: number }

/** Counts across all processes; throws AppError `unavailable` when the counter is out of reach. */
export type RateLimiter = {
  /** Counts one use of `key` in `bucket` (a short constant name) and says whether it is within `limit`. */
  consume(bucket: string, key: string, limit: RateLimit): Promise<RateDecision>
  close(): Promise<void>
}
