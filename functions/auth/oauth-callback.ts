import { Type } from '@sinclair/typebox'
import { route } from '../http/route.ts'
import { endingCookie, findBrowserSecret } from './oauth-cookie.ts'

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
