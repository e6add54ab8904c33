import { createCall } from '../../sdk/admin.ts'
import { GatehouseError, openBrowserSignIn, ProblemError, type SignIn, signIn, takeReturnedSignIn } from '../../sdk/client.ts'
import { words } from '../words.ts'

/** How the server signs people in. */
export type SignInRule = {
  readonly provider: 'local' | 'oauth'
  readonly requirePassword: boolean
  /** Who can register. */
  readonly registration: 'off' | 'invite' | 'open'
}

/** The registration form; empty fields are left out. */
export type NewAccount = {
  readonly email: string
  readonly password: string
  readonly displayName: string
  readonly invitation: string
}

/** The action of a one-time link: `/play#invite=CODE` or `/play#reset=CODE`. */
export type PlayLink = { readonly invitation: string; readonly resetCode: string }

/** The server of this page, with the path of a proxy. */
export const serverUrl = (): string => new URL('.', location.href.replace(/[?#].*$/, '')).href.replace(/\/$/, '')

const isRule = (value: unknown): value is SignInRule =>
  typeof value === 'object' && value !== null && 'provider' in value && 'requirePassword' in value && 'registration' in value

export const readRule = async (): Promise<SignInRule> => {
  const answer = await fetch(`${serverUrl()}/api/auth/config`)
  const rule: unknown = await answer.json()
  if (!answer.ok || !isRule(rule)) throw new Error(`${answer.status}`)
  return rule
}

const browser = () => openBrowserSignIn({ url: serverUrl() })

/** A sign-in that is stored in this browser, for reloads and for new tabs. */
export type KeptToken = {
  /** Stores no newer token. */
  stop(): void
  /** Removes the token of a sign-in that the server ended. */
  forget(): void
  /** Signs out in every tab of this browser, and on the server. */
  signOut(): Promise<void>
}

/** Stores the newest token of `me`. Calls `onSignedOut` when another tab signs out. */
export const keepToken = (me: SignIn, onSignedOut: () => void): KeptToken => {
  const mine = browser()
  const ends = [mine.keep(me), mine.onSignedOut(me, onSignedOut)]
  const stop = (): void => {
    for (const end of ends) end()
  }
  return {
    stop,
    forget: () => {
      stop()
      mine.drop(me)
    },
    signOut: async () => {
      stop()
      await mine.signOut(me)
    },
  }
}

/** Whether the server rejected this sign-in, in contrast to being unreachable. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ProblemError && (error.problem.status === 401 || error.problem.status === 403)

/**
 * The sign-in from the identity provider, otherwise that of this browser. Calls `onIgnored` if the address has a sign-in that did not
 * begin in this tab.
 */
export const findSignIn = async (onIgnored: () => void): Promise<SignIn | undefined> =>
  (await takeReturnedSignIn({ url: serverUrl(), onIgnored })) ?? (await browser().resume())

/** The sign-in form; empty fields are left out. */
export type Credentials = { readonly email: string; readonly password: string; readonly displayName: string }

const wrongPassword = 'wrong-password'

/** Whether `signInHere` threw for a wrong password on a server that requires none. */
export const isWrongPassword = (error: unknown): boolean => error instanceof GatehouseError && error.type === wrongPassword

/** Signs in. If a password was given and wrong, signs out and throws, because the server lets in unverified visitors. */
export const signInHere = async ({ email, password, displayName }: Credentials): Promise<SignIn> => {
  const me = await signIn({
    url: serverUrl(),
    email,
    ...(password !== '' && { password }),
    ...(displayName !== '' && { displayName }),
  })
  if (password === '' || me.verified !== false) return me
  await me.signOut().catch(() => undefined)
  throw new GatehouseError(wrongPassword, words.signIn.wrongPassword)
}

/** Registers an account. Does not reveal whether the email already has one. */
export const register = async ({ email, password, displayName, invitation }: NewAccount): Promise<void> => {
  const body = { email, password, ...(displayName !== '' && { displayName }), ...(invitation !== '' && { invitation }) }
  await createCall({ url: serverUrl() })('POST /auth/register', { body })
}

/** With the code of a link that an administrator made. */
export const setPassword = async (code: string, password: string): Promise<void> => {
  await createCall({ url: serverUrl() })('POST /auth/reset', { body: { code, password } })
}

/** Removes the code from the address and the browser history. */
export const takeLink = (): PlayLink => {
  const parts = new URLSearchParams(location.hash.slice(1))
  const link = { invitation: parts.get('invite') ?? '', resetCode: parts.get('reset') ?? '' }
  if (link.invitation !== '' || link.resetCode !== '') history.replaceState(history.state, '', location.href.replace(/#.*$/, ''))
  return link
}
