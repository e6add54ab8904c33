import { Type } from '@sinclair/typebox'
import { providerMismatch } from '../../shared/auth/provider-mismatch.ts'
import { route } from '../http/route.ts'

/** Begins a sign-in at an identity provider; there is none to go to where the provider is local. */
export const oauthStart = route({
  method: 'get',
  path: '/auth/oauth/start',
  permission: 'none',
  summary: 'Begin a sign-in at the identity provider.',
  query: Type.Object({ returnUrl: Type.Optional(Type.String()) }),
  responses: { 302: 'To the identity provider.' },
  problems: ['provider-mismatch'],
  handle: ({ provider }) => {
    throw providerMismatch(provider.name)
  },
})
