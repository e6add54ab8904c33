import { GatehouseError } from '../errors.ts'
import { ask, type Fetch } from '../http/ask.ts'
import { parseServerAddress } from '../http/server-address.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { askForToken, type FailedSignIns, type SignedIn } from './signed-in.ts'
import { createTokenKeeper } from './token-keeper.ts'

/** Who a player is, and the token that says so, renewed for as long as it is open. */
export type SignIn = {
  /** Base address of the server. */
  readonly url: string
  readonly playerId: string
  readonly displayName: string
  /**
   * Whether the password matched. False after a wrong password where the server requires none. Undefined for a sign-in that began with a
   * token.
   */
  readonly verified?: boolean
  /** Wrong passwords since the last verified sign-in by password, where there were any. */
  readonly failed?: FailedSignIns
  /** The newest token; it is alive unless the server ended the sign-in or was away for long. */
  token(): string
  /** A token other than the last: renewed, or of another sign-in where that is over and email and password are known. */
  renew(options?: { readonly signal?: AbortSignal }): Promise<string>
  /** Calls `act` with each token that takes the place of another, until the answer is called. */
  onRenewed(act: (token: string) => void): () => void
  /**
   * Sets another password in place of `current`, 8 to 72 bytes. This sign-in goes on, every other one of the account ends. Throws
   * ProblemError `/problems/wrong-password`, `/problems/no-password` for an account that never had one.
   */
  changePassword(
    passwords: { readonly current: string; readonly next: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>
  /** Ends the sign-in everywhere, with the sessions that it opened. */
  signOut(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Renews no more, and `renew` rejects with GatehouseError `sign-in-closed`; the token lives out its ten minutes. */
  close(): void
  /** What requests go through. */
  readonly fetch: Fetch
}

type Common = {
  /** Base address of the server, such as `https://game.example.org`. */
  readonly url: string
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
  readonly timers?: Timers
}

/** The server and who signs in: by email and password, or by a token. */
export type SignInOptions = Common &
  (
    | {
        readonly email: string
        /** May be left out where the server asks for none. */
        readonly password?: string
        /** What others see, of the account that a first sign-in makes where the server asks for no password; ignored otherwise. */
        readonly displayName?: string
        /** Keeps both in memory, to sign in again when a sign-in ends after twelve hours. True unless it says false. */
        readonly remember?: boolean
      }
    | {
        /** Of an earlier sign-in; it is renewed at once. */
        readonly token: string
      }
  )

const noWayBack = (): never => {
  throw new GatehouseError('sign-in-over', 'The sign-in is over. Sign in again.')
}

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
    renew: (token, signal) => askForToken({ fetch, url, path: '/auth/renew', method: 'POST', token, signal }),
    again: async (signal) => {
      const next = await again(signal)
      // The password was changed, and the server lets anyone in without one: that is not the sign-in that this one was.
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
      await ask({ fetch, url, path: '/auth/logout', method: 'POST', token: keeper.token(), signal })
    },
    close: keeper.close,
    fetch,
  }
}

/**
 * Signs in by email and password, or goes on with a token. Throws ProblemError (`/problems/invalid-credentials`,
 * `/problems/provider-mismatch` where the server signs people in by an identity provider, `/problems/display-name-taken`), UnreachableError or NotGatehouseError.
 */
export const signIn = async (options: SignInOptions): Promise<SignIn> => {
  const { fetch = globalThis.fetch, signal: begun } = options
  const url = parseServerAddress(options.url)
  if ('token' in options) {
    const first = await askForToken({ fetch, url, path: '/auth/renew', method: 'POST', token: options.token, signal: begun })
    return startKeeping({ ...options, url }, { first, again: noWayBack })
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
