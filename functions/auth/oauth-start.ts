import { Type } from '@sinclair/typebox'
import { route } from '../http/route.ts'
import { beginningCookies } from './oauth-cookie.ts'

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
