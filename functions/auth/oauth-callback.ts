import { Type } from '@sinclair/typebox'
import { route } from '../http/route.ts'
import { endingCookie, findBrowserSecret } from './oauth-cookie.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

/** A fragment goes to the page, and into no log on the way. */
const formatFragment = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** Ends a sign-in at the identity provider, in the browser that began it. */
export const oauthCallback = route({
  method: 'get',
  path: '/auth/callback',
  permission: 'none',
  summary: 'Where the identity provider sends the browser back to.',
  query: Type.Object({
    code: text('What the sign-in is proven by.'),
    state: text('Which sign-in it is.'),
    iss: text('Who answers (RFC 9207).'),
    error: text('Why there is no code.'),
  }),
  isForPeople: true,
  countedAs: 'sign-in-return',
  responses: { 302: 'To the return URL, with `token`, `displayName` and `playerId` in its fragment.' },
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
