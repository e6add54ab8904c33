import { isPassing } from '../connection/next.ts'
import { GatehouseError, NotGatehouseError, ProblemError } from '../errors.ts'
import { type Asked, ask, type Fetch, parseServerAddress } from '../http/ask.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { askForOwner, askForToken, type FailedSignIns, isApiToken, type SignedIn } from './signed-in.ts'

/** Holds a token, and renews it after half of its life. */
type TokenKeeper = {
  token(): string
  /** Returns a new token. Concurrent callers get the same one. */
  renew(signal?: AbortSignal): Promise<string>
  /** Calls `act` with each new token, until the returned function is called. */
  onRenewed(act: (token: string) => void): () => void
  close(): void
}

type TokenKeeperOptions = {
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
const createTokenKeeper = ({ first, timers, renew: ask, again }: TokenKeeperOptions): TokenKeeper => {
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

/** A signed-in player, with a token that is renewed while this is open. */
export type SignIn = {
  /** Base address of the server. */
  readonly url: string
  readonly playerId: string
  readonly displayName: string
  /**
   * Whether the password matched; true for an API token. False after a wrong password if the server requires none. Undefined for
   * a sign-in that began with the token of an earlier one.
   */
  readonly verified?: boolean
  /** Wrong passwords since the last verified sign-in by password, if there were any. */
  readonly failed?: FailedSignIns
  /** The newest token. It is valid unless the server ended the sign-in or was away for long. */
  token(): string
  /** Returns a new token: renewed, or of another sign-in if this one has ended and email and password are known. */
  renew(options?: { readonly signal?: AbortSignal }): Promise<string>
  /** Calls `act` with each new token, until the returned function is called. */
  onRenewed(act: (token: string) => void): () => void
  /**
   * Replaces the password `current` with another one, 8 to 72 bytes. This sign-in continues, every other one of the account
   * ends. Throws ProblemError `/problems/wrong-password`, or `/problems/no-password` for an account without one.
   */
  changePassword(
    passwords: { readonly current: string; readonly next: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>
  /** Ends the sign-in everywhere, with the sessions that it opened. */
  signOut(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Stops renewals, and makes `renew` reject with GatehouseError `sign-in-closed`. The token stays valid until it expires. */
  close(): void
  /** Sends all requests. */
  readonly fetch: Fetch
}

type Common = {
  /** Base address of the server, such as `https://game.example.org`. */
  readonly url: string
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
  readonly timers?: Timers
}

/** The server and the credentials: email and password, or a token. */
export type SignInOptions = Common &
  (
    | {
        readonly email: string
        /** Optional if the server requires none. */
        readonly password?: string
        /** The public name of the account that a first sign-in creates if the server requires no password. Ignored otherwise. */
        readonly displayName?: string
        /** Keeps both in memory, to sign in again when a sign-in ends after twelve hours. True by default. */
        readonly remember?: boolean
      }
    | {
        /** An API token, or a token of an earlier sign-in, which is renewed at once. */
        readonly token: string
      }
  )

const tokenEnded = (): never => {
  throw new GatehouseError('sign-in-over', 'The API token has ended: it expired or was deleted. Create another one.')
}

const noWayBack = (): never => {
  throw new GatehouseError('sign-in-over', 'The sign-in has ended. Sign in again.')
}

/** Renews a token. An API token stays the same, and is only checked. */
const continueWith = (asked: Pick<Asked, 'fetch' | 'url' | 'signal'> & { readonly token: string }): Promise<SignedIn> =>
  isApiToken(asked.token) ? askForOwner(asked) : askForToken({ ...asked, path: '/auth/renew', method: 'POST' })

type Kept = {
  readonly first: SignedIn
  readonly again: (signal?: AbortSignal) => Promise<SignedIn>
  readonly onPassword?: (next: string) => void
}

const startKeeping = (options: Common, { first, again, onPassword }: Kept): SignIn => {
  const { url, fetch = globalThis.fetch, timers = systemTimers } = options
  const keeper = createTokenKeeper({
    first: first.token,
    timers,
    renew: (token, signal) => continueWith({ fetch, url, token, signal }),
    again: async (signal) => {
      const next = await again(signal)
      // The password was changed, and the server accepts sign-ins without one: that would be a weaker sign-in than this one.
      return first.verified === true && next.verified === false ? noWayBack() : next
    },
  })
  return {
    url,
    playerId: first.playerId,
    displayName: first.displayName,
    ...(first.verified !== undefined && { verified: first.verified }),
    ...(first.failed !== undefined && { failed: first.failed }),
    token: keeper.token,
    renew: ({ signal } = {}) => keeper.renew(signal),
    onRenewed: keeper.onRenewed,
    changePassword: async ({ current, next }, { signal } = {}) => {
      await ask({ fetch, url, path: '/auth/password', method: 'POST', token: keeper.token(), body: { current, next }, signal })
      onPassword?.(next)
    },
    signOut: async ({ signal } = {}) => {
      keeper.close()
      if (isApiToken(first.token))
        throw new GatehouseError('api-token', 'An API token has no sign-out. Call close(), or delete the token in the console.')
      await ask({ fetch, url, path: '/auth/logout', method: 'POST', token: keeper.token(), signal })
    },
    close: keeper.close,
    fetch,
  }
}

/**
 * Signs in with email and password, or with a token. Throws ProblemError (`/problems/invalid-credentials`,
 * `/problems/provider-mismatch` if the server uses an identity provider, `/problems/display-name-taken`), UnreachableError or
 * NotGatehouseError.
 */
export const signIn = async (options: SignInOptions): Promise<SignIn> => {
  const { fetch = globalThis.fetch, signal: begun } = options
  const url = parseServerAddress(options.url)
  if ('token' in options) {
    const first = await continueWith({ fetch, url, token: options.token, signal: begun })
    return startKeeping({ ...options, url }, { first, again: async () => (isApiToken(first.token) ? tokenEnded() : noWayBack()) })
  }
  const { email, displayName, remember = true } = options
  let { password = '' } = options
  const logIn = (signal?: AbortSignal, chosen?: { readonly displayName: string }) =>
    askForToken({ fetch, url, path: '/auth/login', method: 'POST', body: { email, password, ...chosen }, signal })
  const first = await logIn(begun, displayName === undefined ? undefined : { displayName })
  if (!remember) return startKeeping({ ...options, url }, { first, again: noWayBack })
  const onPassword = (next: string) => {
    password = next
  }
  return startKeeping({ ...options, url }, { first, again: (signal) => logIn(signal), onPassword })
}
