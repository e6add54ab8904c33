import { environment } from '../environment.ts'
import { GatehouseError } from '../errors.ts'
import { type Fetch, parseServerAddress } from '../http/ask.ts'
import { type SignIn, signIn } from './sign-in.ts'

const getLocation = () => {
  const { location, history } = environment()
  if (location === undefined || history === undefined)
    throw new GatehouseError('no-page', 'There is no page to return to. In Node, use signInByLoopback.')
  return { location, history }
}

/** Ends the return address with a random value that only this tab knows. */
const parameter = 'gatehouse-mark'
const storageKey = 'gatehouse.sign-in-mark'
const markInAddress = new RegExp(`[?&]${parameter}=([^&#]*)(?=$|#)`)

/** Throws GatehouseError `no-storage` if the browser blocks the storage of this page. */
const keepMark = (mark: string): void => {
  try {
    const { sessionStorage } = environment()
    if (sessionStorage === undefined) throw new Error('This page has no sessionStorage.')
    sessionStorage.setItem(storageKey, mark)
  } catch (cause) {
    const text = 'The browser blocks the storage of this page. Allow cookies and site data here, then sign in again.'
    throw new GatehouseError('no-storage', text, { cause })
  }
}

/** The mark of the sign-in that this tab began last. It counts once. */
const takeMark = (): string | undefined => {
  try {
    const mark = environment().sessionStorage?.getItem(storageKey) ?? undefined
    environment().sessionStorage?.removeItem(storageKey)
    return mark
  } catch {
    return undefined
  }
}

/**
 * Sends the page to the server's identity provider, which sends it back to `returnUrl` (default: this page). There, call
 * `takeReturnedSignIn`. The operator lists the allowed return addresses in `auth.oauth.allowedReturnUrls`. `returnUrl` has the origin of
 * this page, because the mark that proves the return is in the `sessionStorage` of this tab. Throws GatehouseError `other-origin` and
 * `no-storage`.
 */
export const leaveToSignIn = (options: { readonly url: string; readonly returnUrl?: string }): void => {
  const { location } = getLocation()
  const returnUrl = (options.returnUrl ?? location.href).replace(/#.*$/, '')
  if (new URL(returnUrl).origin !== new URL(location.href).origin)
    throw new GatehouseError('other-origin', 'A sign-in returns to the origin where it began. Pass a returnUrl of this origin.')
  const mark = crypto.randomUUID()
  keepMark(mark)
  const marked = `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${parameter}=${mark}`
  location.assign(`${parseServerAddress(options.url)}/auth/oauth/start?returnUrl=${encodeURIComponent(marked)}`)
}

/**
 * The sign-in with which the page returns from the identity provider, else undefined. The token is in the fragment of the address, and is
 * removed from there and from the history before anything else happens. A token counts only in the tab that called `leaveToSignIn`, and
 * once: a link with a token of its sender signs no one in. Such a token is removed too, and `onIgnored` is called.
 */
export const takeReturnedSignIn = async (options: {
  readonly url: string
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
  readonly onIgnored?: () => void
}): Promise<SignIn | undefined> => {
  const { location, history } = getLocation()
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return undefined
  const { onIgnored, ...signInOptions } = options
  const returned = markInAddress.exec(location.href)?.[1]
  history.replaceState(history.state, '', location.href.replace(/#.*$/, '').replace(markInAddress, ''))
  const mark = takeMark()
  if (mark === undefined || returned !== mark) {
    onIgnored?.()
    return undefined
  }
  return signIn({ ...signInOptions, token })
}
