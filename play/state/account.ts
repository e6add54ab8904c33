import { createCall } from '../../sdk/admin.ts'
import { ProblemError, type SignIn, signIn, takeReturnedSignIn } from '../../sdk/client.ts'

/** How the server signs people in. */
export type SignInRule = {
  readonly provider: 'local' | 'oauth'
  readonly requirePassword: boolean
  /** Who may make an account. */
  readonly registration: 'off' | 'invite' | 'open'
}

/** What somebody who makes an account writes; an empty text was left out. */
export type NewAccount = {
  readonly email: string
  readonly password: string
  readonly displayName: string
  readonly invitation: string
}

/** What a link that somebody was sent is for: `/play#invite=CODE` or `/play#reset=CODE`. */
export type PlayLink = { readonly invitation: string; readonly resetCode: string }

/** The server that this page came from, below whatever path of a proxy. */
export const serverUrl = (): string => new URL('.', location.href.replace(/[?#].*$/, '')).href.replace(/\/$/, '')

const tokenName = 'gatehouse.play.token'

const isRule = (value: unknown): value is SignInRule =>
  typeof value === 'object' && value !== null && 'provider' in value && 'requirePassword' in value && 'registration' in value

export const readRule = async (): Promise<SignInRule> => {
  const answer = await fetch(`${serverUrl()}/api/auth/config`)
  const rule: unknown = await answer.json()
  if (!answer.ok || !isRule(rule)) throw new Error(`${answer.status}`)
  return rule
}

const store = (token: string | undefined): void => {
  try {
    if (token === undefined) sessionStorage.removeItem(tokenName)
    else sessionStorage.setItem(tokenName, token)
  } catch {
    // Without storage one signs in again after a reload.
  }
}

const findStored = (): string | undefined => {
  try {
    return sessionStorage.getItem(tokenName) ?? undefined
  } catch {
    return undefined
  }
}

const keptMs = 20_000

/** A token that is kept for this tab. */
export type KeptToken = {
  /** Keeps no newer one. */
  stop(): void
  /** The next load of the page asks for a sign-in. */
  forget(): void
}

/** Keeps the newest token for this tab, so that a reload of the page needs no sign-in. */
export const keepToken = (me: SignIn): KeptToken => {
  const keep = () => store(me.token())
  keep()
  const timer = setInterval(keep, keptMs)
  addEventListener('pagehide', keep)
  const stop = (): void => {
    clearInterval(timer)
    removeEventListener('pagehide', keep)
  }
  return {
    stop,
    forget: () => {
      stop()
      store(undefined)
    },
  }
}

/** Whether the server has said that this sign-in is none, and not only that it cannot be asked at this moment. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ProblemError && (error.problem.status === 401 || error.problem.status === 403)

/**
 * The sign-in that this tab has already: from the identity provider a moment ago, or from before a reload. Calls `onIgnored` when the
 * address brought a sign-in that did not begin in this tab.
 */
export const findSignIn = async (onIgnored: () => void): Promise<SignIn | undefined> => {
  const url = serverUrl()
  const returned = await takeReturnedSignIn({ url, onIgnored })
  if (returned !== undefined) return returned
  const token = findStored()
  if (token === undefined) return undefined
  return signIn({ url, token }).catch((error: unknown) => {
    // A server that is away, or full, is no reason to sign in again.
    if (!isRefused(error)) throw error
    store(undefined)
    return undefined
  })
}

/** What somebody signs in by; an empty text was left out. */
export type Credentials = { readonly email: string; readonly password: string; readonly displayName: string }

export const signInHere = ({ email, password, displayName }: Credentials): Promise<SignIn> =>
  signIn({ url: serverUrl(), email, ...(password !== '' && { password }), ...(displayName !== '' && { displayName }) })

/** Makes an account; whether the email had one already is not told. */
export const register = async ({ email, password, displayName, invitation }: NewAccount): Promise<void> => {
  const body = { email, password, ...(displayName !== '' && { displayName }), ...(invitation !== '' && { invitation }) }
  await createCall({ url: serverUrl() })('POST /auth/register', { body })
}

/** With the code of a link that an administrator made. */
export const setPassword = async (code: string, password: string): Promise<void> => {
  await createCall({ url: serverUrl() })('POST /auth/reset', { body: { code, password } })
}

/** Takes the code out of the address, where nobody shall find it later. */
export const takeLink = (): PlayLink => {
  const parts = new URLSearchParams(location.hash.slice(1))
  const link = { invitation: parts.get('invite') ?? '', resetCode: parts.get('reset') ?? '' }
  if (link.invitation !== '' || link.resetCode !== '') history.replaceState(history.state, '', location.href.replace(/#.*$/, ''))
  return link
}
