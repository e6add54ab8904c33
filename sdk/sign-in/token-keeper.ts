import { isPassing } from '../connection/next.ts'
import { GatehouseError, NotGatehouseError, ProblemError } from '../errors.ts'
import type { Timers } from '../timers.ts'
import type { SignedIn } from './signed-in.ts'

/** Holds a token, and renews it after half of its life. */
export type TokenKeeper = {
  token(): string
  /** Returns a new token. Concurrent callers get the same one. */
  renew(signal?: AbortSignal): Promise<string>
  /** Calls `act` with each new token, until the returned function is called. */
  onRenewed(act: (token: string) => void): () => void
  close(): void
}

export type TokenKeeperOptions = {
  readonly first: string
  readonly timers: Timers
  readonly renew: (token: string, signal: AbortSignal) => Promise<SignedIn>
  /** Signs in again when the first sign-in has ended. */
  readonly again: (signal: AbortSignal) => Promise<SignedIn>
}

/** Half of the ten minutes for which a token is valid. */
const renewAfterMs = 5 * 60_000
/** The pause after a failed renewal, for several attempts within the other half. */
const retryAfterMs = 20_000

const isOver = (error: unknown): boolean => error instanceof ProblemError && error.problem.status === 401

const whileNotAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Renews by itself until it is closed, or until the server says that the sign-in has ended and there is no other way in. */
export const createTokenKeeper = ({ first, timers, renew: ask, again }: TokenKeeperOptions): TokenKeeper => {
  const closed = new AbortController()
  let token = first
  let underWay: Promise<string> | undefined
  const listeners = new Set<(token: string) => void>()
  let stop = (): void => undefined

  const fetchAnother = async (): Promise<string> => {
    const renewed = await ask(token, closed.signal).catch((error: unknown) => {
      if (!isOver(error)) throw error
      return again(closed.signal)
    })
    const isNew = renewed.token !== token
    token = renewed.token
    if (isNew) for (const listener of [...listeners]) listener(token)
    return token
  }
  const schedule = (ms: number): void => {
    stop()
    if (!closed.signal.aborted) stop = timers.background(ms, () => void renewInBackground())
  }
  const renewNow = (): Promise<string> => {
    underWay ??= fetchAnother()
      .then((renewed) => {
        schedule(renewAfterMs)
        return renewed
      })
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
  // The next request reports that a sign-in has ended.
  const renewInBackground = (): Promise<unknown> =>
    renewNow().catch((error: unknown) => {
      // A cut-off answer or the login page of a network says nothing about the sign-in.
      if (isPassing(error) || error instanceof NotGatehouseError) schedule(retryAfterMs)
    })

  schedule(renewAfterMs)
  return {
    token: () => token,
    renew: (signal) => whileNotAborted(renewNow(), signal),
    onRenewed: (act) => {
      const listener: typeof act = (renewed) => act(renewed)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close: () => {
      closed.abort(new GatehouseError('sign-in-closed', 'This sign-in was closed. Sign in again.'))
      stop()
    },
  }
}
