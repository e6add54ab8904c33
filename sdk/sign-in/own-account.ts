import { ask, type Fetch } from '../http/ask.ts'
import { parseServerAddress } from '../http/server-address.ts'

type Asking = {
  /** Base address of the server. */
  readonly url: string
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
}

const post = async ({ url, fetch = globalThis.fetch, signal }: Asking, path: string, body: object): Promise<void> => {
  await ask({ fetch, url: parseServerAddress(url), path, method: 'POST', body, signal })
}

/** What `register` needs: the server, and the account as it shall be. */
export type RegisterOptions = Asking & {
  readonly email: string
  /** 8 to 72 bytes. */
  readonly password: string
  /** One that nobody bears; made of the email where there is none. */
  readonly displayName?: string
  /** The code of an invitation, where the server lets nobody in without one. */
  readonly invitation?: string
}

/**
 * Makes an account of one's own; then sign in. Resolves all the same where the email has an account already, which stays as it is.
 * Throws ProblemError: `/problems/registration-closed`, `/problems/invalid-invitation`, `/problems/display-name-taken`.
 */
export const register = ({ email, password, displayName, invitation, ...asking }: RegisterOptions): Promise<void> =>
  post(asking, '/auth/register', { email, password, displayName, invitation })

/**
 * Sets another password by the code of a reset link, which an administrator makes; every sign-in of the account ends. Throws ProblemError
 * `/problems/invalid-reset-link` for a code that is wrong, used or over.
 */
export const resetPassword = ({ code, password, ...asking }: Asking & { readonly code: string; readonly password: string }) =>
  post(asking, '/auth/reset', { code, password })
