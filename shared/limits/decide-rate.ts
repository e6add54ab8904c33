import type { RateDecision, RateLimit } from './rate-limiter.ts'

/** Whether the count of a window, this use included, is within `limit`; if not, in how many whole seconds (at least 1) the window ends. */
export const decideRate = (
  { consumedPoints, msBeforeNext }: { readonly consumedPoints: number; readonly msBeforeNext: number },
  { max }: RateLimit,
): RateDecision =>
  consumedPoints <= max
    ? { allowed: true, windowMs: Math.max(0, msBeforeNext) }
    : { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
