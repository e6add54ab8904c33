import { isPassing } from '../connection/next.ts'
import { GatehouseError, NotGatehouseError, ProblemError } from '../errors.ts'
import type { Timers } from '../timers.ts'
import type { SignedIn } from './signed-in.ts'

/** Holds a token, and another one from half of its life on. */
export type TokenKeeper = {
  token(): string
  /** Another token now; callers at the same time get the same. */
  renew(signal?: AbortSignal): Promise<string>
  /** Calls `act` with each token that takes the place of another, until the answer is called. */
  onRenewed(act: (token: string) => void): () => void
  close(): void
}

export type TokenKeeperOptions = {
  readonly first: string
  readonly timers: Timers
  readonly renew: (token: string, signal: AbortSignal) => Promise<SignedIn>
  /** Another sign-in, where the first one is over. */
  readonly again: (signal: AbortSignal) => Promise<SignedIn>
}

/** Half of the ten minutes that a token lives. */
const renewAfterMs = 5 * 60_000
/** After a renewal that failed because the server is away: often enough within the other half. */
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

/** Renews by itself until it is closed, or until the server says that the sign-in is over and there is no other way in. */
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
    token = renewed.token
    for (const listener of [...listeners]) listener(token)
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
  // A sign-in that is over is told to whoever next asks the server for something.
  const renewInBackground = (): Promise<unknown> =>
    renewNow().catch((error: unknown) => {
      // A cut answer, or a page of the network that one must sign in to, says nothing of the sign-in.
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
