import { createHash } from 'node:crypto'
import { oauthStateTtlSeconds } from '../../shared/domain/auth/oauth/oauth-state.ts'

/** Sign-ins that one browser may have under way; beyond that the oldest is given up, so that its cookies stay few. */
const underWayMax = 10
const plainPrefix = 'gatehouse-oauth-'

/** With HTTPS the name itself makes sure that no other host, and no plain HTTP, has set the cookie. */
const prefixFor = (baseUrl: string): string => (baseUrl.startsWith('https:') ? `__Host-${plainPrefix}` : plainPrefix)

/** One cookie for each sign-in that is under way: several tabs never overwrite one another's. */
const nameFor = (baseUrl: string, state: string): string =>
  prefixFor(baseUrl) + createHash('sha256').update(state).digest('hex').slice(0, 16)

const formatCookie = (baseUrl: string, name: string, value: string, maxAgeSeconds: number): string => {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

type Cookies = ReadonlyMap<string, string>

const isOurs = (baseUrl: string, name: string): boolean =>
  name.startsWith(prefixFor(baseUrl)) && /^[0-9a-f]{16}$/.test(name.slice(prefixFor(baseUrl).length))

/** The cookies to set when a sign-in begins: its own, and ends to those of the oldest where there are too many. */
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

/** What this browser kept for the sign-in of that state. */
export const findBrowserSecret = (baseUrl: string, state: string | undefined, cookies: Cookies): string | undefined =>
  state === undefined ? undefined : cookies.get(nameFor(baseUrl, state))

/** The cookie that ends the one of that state. */
export const endingCookie = (baseUrl: string, state: string): string => formatCookie(baseUrl, nameFor(baseUrl, state), '', 0)
