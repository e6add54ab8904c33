import {
  ConnectionLostError,
  GatehouseError,
  NotGatehouseError,
  NotSentError,
  ProblemError,
  SessionEndedError,
  type SessionEndReason,
  TooManyMessagesError,
  UnreachableError,
} from '../errors.ts'
import { isPassingStatus } from '../http/ask.ts'

/** Why a session has ended for good: a code for programs, and a text for people. */
export type SessionEnd = { readonly reason: SessionEndReason; readonly text: string }

/** The error of requests without an answer on a connection that has ended. */
export const createLostError = ({ reason, text }: SessionEnd): ConnectionLostError => {
  const message = `${text} It is not known whether it was done.`
  return reason === 'too-many-messages'
    ? new TooManyMessagesError(message, 'too-many-messages')
    : new ConnectionLostError(message)
}

/** The error of a request while there is no connection. */
export const createNotConnectedError = (): NotSentError =>
  new NotSentError('not-connected', 'There is no connection. Nothing was sent.')

/** The error of a request after the end. */
export const createEndedError = ({ reason, text }: SessionEnd): SessionEndedError =>
  new SessionEndedError(reason, `${text} Nothing was sent.`)

/** Another attempt. */
type Again = SessionEnd & {
  /** `fresh`: with a new token. */
  readonly token: 'same' | 'fresh'
  /** `jitter`: after a growing random wait, at least `atLeastMs`. `exact`: exactly after `atLeastMs`. */
  readonly wait: 'none' | 'jitter' | 'exact'
  readonly atLeastMs: number
}

/** What follows the end of a connection. */
export type Next = { readonly over: SessionEnd } | Again

/** The longest requested wait that is respected: one day. */
const askedMsMax = 86_400_000

/** Retries after a wait of our own, or as long as the server requests, at most a day. */
export const waitBefore = ({ reason, text }: SessionEnd, atLeastMs = 0): Again => ({
  reason,
  text,
  token: 'same',
  wait: 'jitter',
  atLeastMs: Math.min(atLeastMs, askedMsMax),
})

/** Retries at once with a new token. */
export const renewBefore = ({ reason, text }: SessionEnd): Again => ({ reason, text, token: 'fresh', wait: 'none', atLeastMs: 0 })

/** An error as the end of a session. */
export const toSessionEnd = (error: unknown): SessionEnd => ({
  reason: error instanceof GatehouseError ? error.code : 'failed',
  text: error instanceof Error ? error.message : String(error),
})

/** Whether the server is unavailable, or requests a pause. */
export const isPassing = (error: unknown): boolean =>
  error instanceof UnreachableError ||
  (error instanceof ProblemError && isPassingStatus(error.problem.status)) ||
  (error instanceof NotGatehouseError && isPassingStatus(error.status ?? 0))

/** The pause that the server requests. */
export const retryAfterMsOf = (error: unknown): number =>
  error instanceof ProblemError ? (error.problem.retryAfterSeconds ?? 0) * 1_000 : 0

/** Decides how to continue after a refused upgrade or probe. */
export const decideAfterRefusal = (error: ProblemError | NotGatehouseError | UnreachableError, isFresh: boolean): Next => {
  const end = toSessionEnd(error)
  if (!(error instanceof ProblemError) || isPassing(error)) return waitBefore(end, retryAfterMsOf(error))
  return error.problem.status === 401 && !isFresh ? renewBefore(end) : { over: end }
}
