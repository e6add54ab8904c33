/** At most `max` in each window of `perSeconds` for one key. */
type RateLimit = { readonly max: number; readonly perSeconds: number }

/** `windowMs`: until the window ends and the count starts again. */
export type RateDecision =
  | { readonly allowed: true; readonly windowMs: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

/** Counts across all processes; throws AppError `unavailable` when the counter is out of reach. */
export type RateLimiter = {
  /**
   * Counts `uses` (1 when absent; below 0 gives some back) of `key` in `bucket` (a short constant name) and says whether all are
   * within `limit`.
   */
  consume(bucket: string, key: string, limit: RateLimit, uses?: number): Promise<RateDecision>
  close(): Promise<void>
}

/** Whether the count of a window, this use included, is within `limit`; if not, in how many whole seconds (at least 1) the window ends. */
export const decideRate = (
  { consumedPoints, msBeforeNext }: { readonly consumedPoints: number; readonly msBeforeNext: number },
  { max }: RateLimit,
): RateDecision =>
  consumedPoints <= max
    ? { allowed: true, windowMs: Math.max(0, msBeforeNext) }
    : { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
