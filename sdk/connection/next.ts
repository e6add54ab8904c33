import { GatehouseError, NotGatehouseError, ProblemError, UnreachableError } from '../errors.ts'
import { isPassingStatus } from '../http/read-refusal.ts'

/** Why a session is over for good: a code for programs, and words for people. */
export type SessionEnd = { readonly reason: string; readonly text: string }

/** Another attempt. */
type Again = SessionEnd & {
  /** `fresh`: with another token than the last one. */
  readonly token: 'same' | 'fresh'
  /** `jitter`: after a wait of our own that grows, and no sooner than `atLeastMs`; `exact`: just then. */
  readonly wait: 'none' | 'jitter' | 'exact'
  readonly atLeastMs: number
}

/** What follows the end of a connection. */
export type Next = { readonly over: SessionEnd } | Again

/** A server that asks for longer than a day is asked again after one. */
const askedMsMax = 86_400_000

/** After a wait of our own, or as long as the server asked for, a day at most. */
export const waitBefore = ({ reason, text }: SessionEnd, atLeastMs = 0): Again => ({
  reason,
  text,
  token: 'same',
  wait: 'jitter',
  atLeastMs: Math.min(atLeastMs, askedMsMax),
})

/** At once, with another token. */
export const renewBefore = ({ reason, text }: SessionEnd): Again => ({ reason, text, token: 'fresh', wait: 'none', atLeastMs: 0 })

/** An error as the end of a session. */
export const toSessionEnd = (error: unknown): SessionEnd => ({
  reason: error instanceof GatehouseError ? error.type.replace(/^\/problems\//, '') : 'failed',
  text: error instanceof Error ? error.message : String(error),
})

/** Whether the server is away, or asks for a pause. */
export const isPassing = (error: unknown): boolean =>
  error instanceof UnreachableError ||
  (error instanceof ProblemError && isPassingStatus(error.problem.status)) ||
  (error instanceof NotGatehouseError && isPassingStatus(error.status ?? 0))

/** How long the server asked to be left alone. */
export const retryAfterMsOf = (error: unknown): number =>
  error instanceof ProblemError ? (error.problem.retryAfterSeconds ?? 0) * 1_000 : 0

/** What to do where the upgrade was refused, or a question beside it was. */
export const decideAfterRefusal = (error: ProblemError | NotGatehouseError | UnreachableError, isFresh: boolean): Next => {
  const end = toSessionEnd(error)
  if (!(error instanceof ProblemError) || isPassing(error)) return waitBefore(end, retryAfterMsOf(error))
  return error.problem.status === 401 && !isFresh ? renewBefore(end) : { over: end }
}
