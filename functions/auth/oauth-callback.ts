import { Type } from '@sinclair/typebox'
import { providerMismatch } from '../../shared/auth/provider-mismatch.ts'
import { route } from '../http/route.ts'

/** Ends a sign-in at an identity provider; nobody comes back from one where the provider is local. */
export const oauthCallback = route({
  method: 'get',
  path: '/auth/callback',
  permission: 'none',
  summary: 'Where the identity provider sends the browser back to.',
  query: Type.Object({ code: Type.Optional(Type.String()), state: Type.Optional(Type.String()) }),
  responses: { 302: 'To the return URL, with the token in its fragment.' },
  problems: ['provider-mismatch'],
  handle: ({ provider }) => {
    throw providerMismatch(provider.name)
  },
})
