import { AppError } from '../../../shared/kernel/errors.ts'
import type { HttpDeps } from '../../deps.ts'

/**
 * Counts one request of a sign-in, whichever of its tokens it shows: each could renew itself into hundreds a minute. Throws
 * `limited`, with the time to wait, above `requestsPerMinutePerToken`.
 */
export type LimitRequests = (signInId: string) => Promise<void>

/** What is left of the uses that this process took for a sign-in under the limit `max`, until the shared window ends. */
type Allowance = {
  max: number
  left: number
  isLast: boolean
  refused: boolean
  /** While this process refuses by itself; then it asks again. */
  refusedUntilMs: number
  endsAtMs: number
  asking: Promise<void> | undefined
}

const perSeconds = 60
const sweepAbove = 10_000
const sweepEveryMs = 5000
// A block that another process is denied stands in the shared count until it goes back: a refusal may be of that moment only.
const doubtMs = 1000
// The shared window may end earlier than this process believes, by the time that its answer took.
const surelyOpenMs = 2000

/** Uses that are taken from the shared count at once, as long as nobody else takes the last of them: a divisor of the limit, small against it, so that one process refuses exactly. */
const blockOf = (max: number): number =>
  [1000, 500, 250, 100, 50, 25, 20, 10, 5].find((block) => max % block === 0 && max >= block * 20) ?? 1

const refuse = (retryAfterSeconds: number) =>
  new AppError('limited', 'too-many-requests', 'Too many requests with this sign-in; wait as long as Retry-After says.', {
    retryAfterSeconds,
  })

/**
 * The count is shared by all processes, but asked for in blocks, so that most requests cost no round trip. A sign-in that several
 * processes serve at once may be refused early by what others took and have not used, never late; each process asks again after a second.
 * `isOneAtATime`: in a process that serves one request at a time, as a Lambda, of which there may be more than the limit has blocks; it
 * asks for each.
 */
export const createLimitRequests = (
  { limiter, configs, clock }: Pick<HttpDeps, 'limiter' | 'configs' | 'clock'>,
  { isOneAtATime = false } = {},
): LimitRequests => {
  const allowances = new Map<string, Allowance>()

  let nextSweepMs = 0

  const sweep = (): void => {
    if (allowances.size < sweepAbove || clock.monotonic() < nextSweepMs) return
    // Windows are a minute long: sweeping more often would walk through all of them for few that ended.
    nextSweepMs = clock.monotonic() + sweepEveryMs
    for (const [signInId, { endsAtMs, asking }] of allowances)
      if (asking === undefined && endsAtMs <= clock.monotonic()) allowances.delete(signInId)
  }

  const allowanceOf = (signInId: string): Allowance => {
    const known = allowances.get(signInId)
    if (known !== undefined) return known
    sweep()
    const fresh: Allowance = { max: 0, left: 0, isLast: false, refused: false, refusedUntilMs: 0, endsAtMs: 0, asking: undefined }
    allowances.set(signInId, fresh)
    return fresh
  }

  const ask = async (signInId: string, allowance: Allowance, max: number): Promise<void> => {
    const isLast = allowance.max === max && allowance.isLast && allowance.endsAtMs > clock.monotonic()
    let block = isOneAtATime || isLast ? 1 : blockOf(max)
    const consume = (uses: number) => limiter.consume('sign-in-requests', signInId, { max, perSeconds }, uses)
    // Of a limit that has changed, what nobody used goes back: a large block must not count against a small limit.
    const unused = allowance.endsAtMs - clock.monotonic() > surelyOpenMs ? allowance.left : 0
    allowance.left = 0
    try {
      let decision = await consume(block - unused)
      if (!decision.allowed && block > 1) {
        // Less than a block is left for everybody: what there is goes one by one. All but one goes back at once.
        decision = await consume(1 - block)
        block = 1
      }
      const endsAtMs = clock.monotonic() + (decision.allowed ? decision.windowMs : decision.retryAfterSeconds * 1000)
      // In a window that began meanwhile there are blocks again.
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

  return async (signInId) => {
    const allowance = allowanceOf(signInId)
    for (;;) {
      const { requestsPerMinutePerToken: max } = configs.get('server.yaml').http.rateLimits
      const remainingMs = allowance.max === max ? allowance.endsAtMs - clock.monotonic() : 0
      if (remainingMs > 0 && allowance.refused && clock.monotonic() < allowance.refusedUntilMs)
        throw refuse(Math.ceil(remainingMs / 1000))
      if (remainingMs > 0 && allowance.left > 0) {
        allowance.left -= 1
        return
      }
      allowance.asking ??= ask(signInId, allowance, max)
      await allowance.asking
    }
  }
}
