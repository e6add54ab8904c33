import { computed, signal } from '@preact/signals'
import { type Answer, createCall } from '../../sdk/admin.ts'
import {
  leaveToSignIn,
  openBrowserSignIn,
  ProblemError,
  type SignIn,
  takeReturnedSignIn,
  UnreachableError,
} from '../../sdk/auth.ts'
import { words } from '../words/of-frame.ts'
import { go } from './route.ts'
import { tabStorage } from './tab-storage.ts'

/** The base address of the server, from the address of the page. */
export const serverUrl = new URL('.', location.href).href.replace(/\/$/, '')

/** The permissions of this tab's token. */
export type May = {
  readonly email: string
  readonly verified: boolean
  readonly permissions: ReadonlySet<string>
  /** The permissions of a verified sign-in of the same account. */
  readonly unverified: ReadonlySet<string>
  /** Whether the password is a common one. The account then has no privileged permissions until it sets another. */
  readonly needsNewPassword: boolean
}

/** The action of a one-time link: `/console#reset=CODE` or `/console#invite=CODE`. */
export type DoorLink = { readonly kind: 'reset' | 'invite'; readonly code: string }

/**
 * `beginning`: resumes the sign-in of this browser, and waits while the server is unreachable. `over`: the sign-in ended; the page stays
 * behind the form. `out`: the visitor is not signed in.
 */
export type SessionState =
  | { readonly kind: 'beginning'; readonly isAway?: boolean }
  | {
      readonly kind: 'out'
      readonly why?: string
      readonly claim?: string
      readonly link?: DoorLink
      /** Fills in the form. */
      readonly email?: string
    }
  | { readonly kind: 'over'; readonly me: SignIn; readonly may: May }
  | { readonly kind: 'in'; readonly me: SignIn; readonly may: May }

const placeKey = 'gatehouse.place'
/** The account whose state this tab holds. */
const ownerKey = 'gatehouse.owner'
const retryMs = 1500

/** Shared with the game and with other tabs. */
const browser = openBrowserSignIn({ url: serverUrl })

export const session = signal<SessionState>({ kind: 'beginning' })

/** Wrong passwords before this sign-in, until the user closes the notice. */
export const failedSignIns = signal<SignIn['failed']>(undefined)

export const may = computed<May | undefined>(() => ('may' in session.value ? session.value.may : undefined))

/** Whether the current user has the permission. */
export const mayDo = (permission: string): boolean => may.value?.permissions.has(permission) ?? false

type OwnPermissions = Answer<'GET /auth/permissions'>['body']

const readMay = ({ email, verified, permissions, unverified, needsNewPassword }: OwnPermissions): May => ({
  email,
  verified,
  needsNewPassword,
  permissions: new Set(permissions),
  unverified: new Set(unverified),
})

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((name) => other.has(name))

/** Removes the previous account's input. */
const forgetTyped = (): void => {
  for (const key of tabStorage.listKeys()) if (key.startsWith('gatehouse.draft.')) tabStorage.remove(key)
}

let stopKeeping = (): void => undefined

const showSignedOut = (): void => {
  stopKeeping()
  failedSignIns.value = undefined
  forgetTyped()
  session.value = { kind: 'out', why: words.signIn.signedOut }
}

const keep = (me: SignIn): void => {
  const stopStoring = browser.keep(me)
  const stopListening = browser.onSignedOut(me, () => {
    me.close()
    showSignedOut()
  })
  stopKeeping = () => {
    stopStoring()
    stopListening()
  }
}

/** Starts a sign-in. Throws the error of the server. */
export const enter = async (me: SignIn): Promise<void> => {
  const { body } = await createCall({ url: serverUrl, token: me.token })('GET /auth/permissions')
  const former = session.peek()
  if (former.kind === 'over') former.me.close()
  stopKeeping()
  if (tabStorage.find(ownerKey) !== body.email) forgetTyped()
  // Another account must not inherit state.
  if ('may' in former && former.may.email !== body.email) session.value = { kind: 'out' }
  tabStorage.keep(ownerKey, body.email)
  failedSignIns.value = me.failed
  session.value = { kind: 'in', me, may: readMay(body) }
  keep(me)
}

/** Updates the permissions. Equal ones cause no new render. */
export const noteMay = (body: OwnPermissions): void => {
  const current = session.peek()
  if (current.kind !== 'in') return
  const next = readMay(body)
  const isSame =
    isSameSet(next.permissions, current.may.permissions) &&
    isSameSet(next.unverified, current.may.unverified) &&
    next.verified === current.may.verified &&
    next.needsNewPassword === current.may.needsNewPassword
  if (!isSame) session.value = { ...current, may: next }
}

/** The token is no longer valid. The page stays, behind the sign-in form. */
export const noteSignInOver = (): void => {
  const current = session.peek()
  if (current.kind !== 'in') return
  browser.drop(current.me)
  session.value = { ...current, kind: 'over' }
}

/** Opens the identity provider, which returns the user to the current page. */
export const leaveToProvider = (): void => {
  tabStorage.keep(placeKey, location.hash)
  leaveToSignIn({ url: serverUrl })
}

const takePlace = (): void => {
  const place = tabStorage.find(placeKey)
  tabStorage.remove(placeKey)
  if (place?.startsWith('#/')) go(place, true)
}

export const leave = async (): Promise<void> => {
  const current = session.peek()
  showSignedOut()
  if ('me' in current) await browser.signOut(current.me).catch(() => undefined)
}

/** Shows the form to a user who is signed in without a password. The game in another tab stays signed in. */
export const leaveToPassword = (): void => {
  const current = session.peek()
  if (current.kind !== 'in') return
  stopKeeping()
  current.me.close()
  session.value = { kind: 'out', email: current.may.email }
}

/** The claim of a new server's link is the whole fragment. */
const claimPattern = /^#([\w-]{1,128})$/

const clearFragment = (): void => history.replaceState(history.state, '', location.href.replace(/#.*$/, ''))

const takeClaim = (): string | undefined => {
  const claim = claimPattern.exec(location.hash)?.[1]
  if (claim === undefined) return undefined
  // Removes the secret from the address.
  clearFragment()
  return claim
}

const takeDoorLink = (): DoorLink | undefined => {
  const [, kind, code] = /^#(reset|invite)=([^&\s]{1,256})$/.exec(location.hash) ?? []
  if ((kind !== 'reset' && kind !== 'invite') || code === undefined) return undefined
  clearFragment()
  return { kind, code }
}

/** Resumes the sign-in of this browser. Waits while the server is away, as during its restart. */
const resume = async (): Promise<SignIn | undefined> => {
  for (;;) {
    try {
      return await browser.resume()
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error
      session.value = { kind: 'beginning', isAway: true }
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** Continues the sign-in from the identity provider or of this browser; otherwise shows the form. */
export const beginSession = async (): Promise<void> => {
  const claim = takeClaim()
  if (claim !== undefined) {
    session.value = { kind: 'out', claim }
    return
  }
  const link = takeDoorLink()
  if (link !== undefined) {
    session.value = { kind: 'out', link }
    return
  }
  try {
    let ignored: { readonly why: string } | undefined
    const onIgnored = () => {
      ignored = { why: words.signIn.ignoredLink }
    }
    const returned = await takeReturnedSignIn({ url: serverUrl, onIgnored })
    if (returned !== undefined) takePlace()
    const me = returned ?? (await resume())
    if (me === undefined) session.value = { kind: 'out', ...ignored }
    else await enter(me)
  } catch (error) {
    const isOver = error instanceof ProblemError && error.problem.status === 401
    session.value = { kind: 'out', why: isOver ? words.signIn.over : error instanceof Error ? error.message : String(error) }
  }
}
