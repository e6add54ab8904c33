import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { oauthStateTtlSeconds } from '../../shared/domain/auth/oauth/oauth-state.ts'
import { route } from '../http/route.ts'

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
const beginningCookies = (
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
const findBrowserSecret = (baseUrl: string, state: string | undefined, cookies: Cookies): string | undefined =>
  state === undefined ? undefined : cookies.get(nameFor(baseUrl, state))

/** The cookie that expires the one of this state. */
const endingCookie = (baseUrl: string, state: string): string => formatCookie(baseUrl, nameFor(baseUrl, state), '', 0)

/** Begins a sign-in at the identity provider, and binds it to this browser with a cookie. */
export const oauthStart = route({
  method: 'get',
  path: '/auth/oauth/start',
  permission: 'none',
  operationId: 'startOauthSignIn',
  summary: 'Begin a sign-in at the identity provider.',
  query: Type.Object({
    returnUrl: Type.Optional(Type.String({ description: 'Where to return to with a token. An operator must have listed it.' })),
  }),
  isForPeople: true,
  countedAs: 'sign-in-address',
  responses: { 302: 'Redirects to the identity provider.' },
  problems: ['return-url-not-allowed', 'provider-mismatch', 'too-many-requests', 'identity-provider-unavailable'],
  handle: async ({ signIn, baseUrl }, { query, request }) => {
    const start = await signIn.startOauth(query.returnUrl ?? '')
    const cookies = beginningCookies(baseUrl, start, request.cookies())
    return { status: 302, headers: { Location: start.redirectTo, 'Set-Cookie': cookies } }
  },
})

const text = (description: string) => Type.Optional(Type.String({ description }))

/** A fragment reaches the page, but no log on the way. */
const formatFragment = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** Ends a sign-in at the identity provider, in the browser that began it. */
export const oauthCallback = route({
  method: 'get',
  path: '/auth/callback',
  permission: 'none',
  operationId: 'finishOauthSignIn',
  summary: 'Return address for the browser from the identity provider.',
  query: Type.Object({
    code: text('The authorization code.'),
    state: text('The state of the sign-in.'),
    iss: text('The issuer (RFC 9207).'),
    error: text('The error code, if there is no code.'),
  }),
  isForPeople: true,
  countedAs: 'sign-in-return',
  responses: { 302: 'Redirects to the return URL, with `token`, `displayName` and `playerId` in its fragment.' },
  problems: [
    ...(['unknown-state', 'state-used', 'state-expired', 'wrong-browser', 'return-url-not-allowed'] as const),
    ...(['consent-refused', 'exchange-refused', 'account-not-allowed', 'provider-mismatch'] as const),
    ...(['too-many-requests', 'identity-provider-unavailable', 'accounts-unreadable'] as const),
  ],
  handle: async ({ signIn, baseUrl }, { query: { code, state, iss, error }, request }) => {
    const browserSecret = findBrowserSecret(baseUrl, state, request.cookies())
    const answer = { code, state, iss, error, browserSecret }
    const { returnUrl, token, displayName, playerId } = await signIn.endOauth(answer, request.requestId)
    return {
      status: 302,
      headers: {
        Location: `${returnUrl}#${formatFragment({ token, displayName, playerId })}`,
        'Set-Cookie': endingCookie(baseUrl, state ?? ''),
      },
    }
  },
})
