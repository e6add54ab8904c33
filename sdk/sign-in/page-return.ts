import { environment } from '../environment.ts'
import { GatehouseError } from '../errors.ts'
import type { Fetch } from '../http/ask.ts'
import { parseServerAddress } from '../http/server-address.ts'
import { type SignIn, signIn } from './sign-in.ts'

const getLocation = () => {
  const { location, history } = environment()
  if (location === undefined || history === undefined)
    throw new GatehouseError('no-page', 'There is no page here to come back to: in Node, use signInByLoopback.')
  return { location, history }
}

/**
 * Sends the page to the server's identity provider, which sends it back to `returnUrl` (this page when left out; the operator lists
 * those that may be in `auth.oauth.allowedReturnUrls`). There, call `takeReturnedSignIn`.
 */
export const leaveToSignIn = (options: { readonly url: string; readonly returnUrl?: string }): void => {
  const { location } = getLocation()
  const returnUrl = options.returnUrl ?? location.href.replace(/#.*$/, '')
  location.assign(`${parseServerAddress(options.url)}/auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`)
}

/**
 * The sign-in with which the page came back, and undefined where it did not come back from one. The token stands in the fragment of the
 * page's address, and is removed from there and from the history before anything else happens.
 */
export const takeReturnedSignIn = async (options: {
  readonly url: string
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
}): Promise<SignIn | undefined> => {
  const { location, history } = getLocation()
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return undefined
  history.replaceState(history.state, '', location.href.replace(/#.*$/, ''))
  return signIn({ ...options, token })
}
