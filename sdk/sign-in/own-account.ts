import { ask, type Fetch, parseServerAddress } from '../http/ask.ts'

type Asking = {
  /** Base address of the server. */
  readonly url: string
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
}

const post = async ({ url, fetch = globalThis.fetch, signal }: Asking, path: string, body: object): Promise<void> => {
  await ask({ fetch, url: parseServerAddress(url), path, method: 'POST', body, signal })
}

/** Input of `register`: the server, and the new account. */
export type RegisterOptions = Asking & {
  readonly email: string
  /** 8 to 72 bytes. */
  readonly password: string
  /** A name that no other account has. Made from the email when absent. */
  readonly displayName?: string
  /** The code of an invitation, if the server requires one. */
  readonly invitation?: string
}

/**
 * Creates an account for its owner; sign in afterwards. Also resolves if the email already has an account, which does not
 * change. Throws ProblemError: `/problems/registration-closed`, `/problems/invalid-invitation`, `/problems/display-name-taken`.
 */
export const register = ({ email, password, displayName, invitation, ...asking }: RegisterOptions): Promise<void> =>
  post(asking, '/auth/register', { email, password, displayName, invitation })

/**
 * Sets a new password with the code of a reset link, which an administrator creates. Every sign-in of the account ends. Throws
 * ProblemError `/problems/invalid-reset-link` for a code that is wrong, used or expired.
 */
export const resetPassword = ({ code, password, ...asking }: Asking & { readonly code: string; readonly password: string }) =>
  post(asking, '/auth/reset', { code, password })
