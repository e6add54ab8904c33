import { AppError } from '../../../shared/kernel/errors.ts'
import { addressBlockOf } from '../../../shared/platform/limits/address-block.ts'
import { createMemoryRateLimiter, type RateLimiter } from '../../../shared/platform/limits/rate-limiter.ts'
import type { HttpDeps } from '../../deps.ts'

/** Counts one request of a key. Throws `limited`, with the time to wait, above the limit. */
export type LimitRequests = (key: string) => Promise<void>

/** The limits of all requests except health checks. */
export type RequestLimits = {
  /**
   * By sign-in, not by token, because a client could renew a token into hundreds a minute. The limit is
   * `requestsPerMinutePerToken`.
   */
  readonly ofSignIn: LimitRequests
  /** Requests without a live token, by the address of the client. The limit is `requestsPerMinutePerAddress`. */
  readonly ofAddress: LimitRequests
}

/** The unused part of the blocks that this process reserved for a key, until the shared window ends. */
type Allowance = {
  max: number
  left: number
  isLast: boolean
  refused: boolean
  /** Until then this process refuses by itself; then it reads the shared count again. */
  refusedUntilMs: number
  endsAtMs: number
  asking: Promise<void> | undefined
}

const perSeconds = 60
const sweepAbove = 10_000
const sweepEveryMs = 5000
// A block that another process is refused counts until it is returned, so a refusal may be temporary.
const doubtMs = 1000
// The shared window may end earlier than this process assumes, by the latency of the store.
const surelyOpenMs = 2000

/**
 * Uses to reserve at once, except for the last ones: a divisor of the limit, small against it, so that one process refuses
 * exactly.
 */
const blockOf = (max: number): number =>
  [1000, 500, 250, 100, 50, 25, 20, 10, 5].find((block) => max % block === 0 && max >= block * 20) ?? 1

type Counted = {
  /** The key in the shared count. */
  readonly bucket: string
  readonly limit: 'requestsPerMinutePerToken' | 'requestsPerMinutePerAddress'
  readonly tooMany: string
}

const signIns: Counted = {
  bucket: 'sign-in-requests',
  limit: 'requestsPerMinutePerToken',
  tooMany: 'Too many requests with this sign-in. Wait as long as Retry-After says.',
}

const addresses: Counted = {
  bucket: 'address-requests',
  limit: 'requestsPerMinutePerAddress',
  tooMany: 'Too many requests without a sign-in from this address. Wait as long as Retry-After says.',
}

type LimitDeps = Pick<HttpDeps, 'limiter' | 'configs' | 'clock'>
type LimitOptions = { readonly isOneAtATime?: boolean }

/**
 * Counts in all processes together. A process reserves blocks of the shared count, so most requests need no round trip: with a
 * round trip for each, a `GET /auth/me` takes 2.4 times the processor time (docs/performance.md). If several processes serve a
 * sign-in at once, it may be refused too early because of blocks that others have not used, never too late. Each process reads
 * the count again after a second. `isOneAtATime` is for Lambdas, which serve one request at a time: there may be more of them
 * than the limit has blocks, so each request is counted by itself.
 */
const createLimit = (
  { limiter, configs, clock }: LimitDeps,
  { bucket, limit, tooMany }: Counted,
  { isOneAtATime = false }: LimitOptions,
): LimitRequests => {
  const refuse = (retryAfterSeconds: number) => new AppError('limited', 'too-many-requests', tooMany, { retryAfterSeconds })
  const allowances = new Map<string, Allowance>()

  let nextSweepMs = 0

  const sweep = (): void => {
    if (allowances.size < sweepAbove || clock.monotonic() < nextSweepMs) return
    // Windows last a minute: more frequent sweeps would walk through all of them and remove few.
    nextSweepMs = clock.monotonic() + sweepEveryMs
    for (const [key, { endsAtMs, asking }] of allowances)
      if (asking === undefined && endsAtMs <= clock.monotonic()) allowances.delete(key)
  }

  const allowanceOf = (key: string): Allowance => {
    const known = allowances.get(key)
    if (known !== undefined) return known
    sweep()
    const fresh: Allowance = { max: 0, left: 0, isLast: false, refused: false, refusedUntilMs: 0, endsAtMs: 0, asking: undefined }
    allowances.set(key, fresh)
    return fresh
  }

  const ask = async (key: string, allowance: Allowance, max: number): Promise<void> => {
    const isLast = allowance.max === max && allowance.isLast && allowance.endsAtMs > clock.monotonic()
    let block = isOneAtATime || isLast ? 1 : blockOf(max)
    const consume = (uses: number) => limiter.consume(bucket, key, { max, perSeconds }, uses)
    // After a change of the limit, the unused part is returned: a large block must not count against a small limit.
    const unused = allowance.endsAtMs - clock.monotonic() > surelyOpenMs ? allowance.left : 0
    allowance.left = 0
    try {
      let decision = await consume(block - unused)
      if (!decision.allowed && block > 1) {
        // Less than a block is left for all processes, so the rest is taken one by one. All but one is returned at once.
        decision = await consume(1 - block)
        block = 1
      }
      const endsAtMs = clock.monotonic() + (decision.allowed ? decision.windowMs : decision.retryAfterSeconds * 1000)
      // If a new window has begun in the meantime, blocks are available again.
      allowance.isLast = block === 1 && !(isLast && endsAtMs - allowance.endsAtMs > surelyOpenMs)
      allowance.max = max
      allowance.refused = !decision.allowed
      allowance.left = decision.allowed ? block : 0
      allowance.endsAtMs = endsAtMs
      allowance.refusedUntilMs = blockOf(max) === 1 ? endsAtMs : clock.monotonic() + doubtMs
    } finally {
      allowance.asking = undefined
    }
  }

  return async (key) => {
    const allowance = allowanceOf(key)
    for (;;) {
      const max = configs.get('server.yaml').http.rateLimits[limit]
      const remainingMs = allowance.max === max ? allowance.endsAtMs - clock.monotonic() : 0
      if (remainingMs > 0 && allowance.refused && clock.monotonic() < allowance.refusedUntilMs)
        throw refuse(Math.ceil(remainingMs / 1000))
      if (remainingMs > 0 && allowance.left > 0) {
        allowance.left -= 1
        return
      }
      allowance.asking ??= ask(key, allowance, max)
      await allowance.asking
    }
  }
}

/**
 * Falls back to a count within this process while the shared one is unavailable: public answers stay available without Redis,
 * and so does their limit.
 */
const orWithinProcess = (limiter: RateLimiter): RateLimiter => {
  const own = createMemoryRateLimiter()
  return {
    consume: async (...use) => {
      try {
        return await limiter.consume(...use)
      } catch (error) {
        if (error instanceof AppError && error.kind === 'unavailable') return own.consume(...use)
        throw error
      }
    },
    close: limiter.close,
  }
}

/** The limits of one process. An address counts by its block (`addressBlockOf`). */
export const createRequestLimits = (deps: LimitDeps, options: LimitOptions = {}): RequestLimits => {
  const ofBlock = createLimit({ ...deps, limiter: orWithinProcess(deps.limiter) }, addresses, options)
  return {
    ofSignIn: createLimit(deps, signIns, options),
    ofAddress: (address) => ofBlock(addressBlockOf(address)),
  }
}
