import { createHash } from 'node:crypto'
import { oauthStateTtlSeconds } from '../../shared/domain/auth/oauth/oauth-state.ts'

/** Pending sign-ins of one browser. Beyond that the oldest is dropped, which keeps its cookies few. */
const underWayMax = 10
const plainPrefix = 'gatehouse-oauth-'

/** With HTTPS the name guarantees that no other host and no plain HTTP has set the cookie. */
const prefixFor = (baseUrl: string): string => (baseUrl.startsWith('https:') ? `__Host-${plainPrefix}` : plainPrefix)

/** One cookie for each pending sign-in, so that tabs do not overwrite each other's. */
const nameFor = (baseUrl: string, state: string): string =>
  prefixFor(baseUrl) + createHash('sha256').update(state).digest('hex').slice(0, 16)

const formatCookie = (baseUrl: string, name: string, value: string, maxAgeSeconds: number): string => {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

type Cookies = ReadonlyMap<string, string>

const isOurs = (baseUrl: string, name: string): boolean =>
  name.startsWith(prefixFor(baseUrl)) && /^[0-9a-f]{16}$/.test(name.slice(prefixFor(baseUrl).length))

/** The cookies to set when a sign-in begins: its own, and expired ones for the oldest if there are too many. */
export const beginningCookies = (
  baseUrl: string,
  { state, browserSecret }: { readonly state: string; readonly browserSecret: string },
  cookies: Cookies,
): readonly string[] => {
  const others = [...cookies.keys()].filter((name) => isOurs(baseUrl, name))
  const given = others.slice(0, Math.max(0, others.length - underWayMax + 1))
  return [
    formatCookie(baseUrl, nameFor(baseUrl, state), browserSecret, oauthStateTtlSeconds),
    ...given.map((name) => formatCookie(baseUrl, name, '', 0)),
  ]
}

/** The secret that this browser stored for the sign-in of this state. */
export const findBrowserSecret = (baseUrl: string, state: string | undefined, cookies: Cookies): string | undefined =>
  state === undefined ? undefined : cookies.get(nameFor(baseUrl, state))

/** The cookie that expires the one of this state. */
export const endingCookie = (baseUrl: string, state: string): string => formatCookie(baseUrl, nameFor(baseUrl, state), '', 0)
