import { Type } from '@sinclair/typebox'
import { ok, route } from '../http/route.ts'

/** Tells a client how to sign in. */
export const authConfig = route({
  method: 'get',
  path: '/api/auth/config',
  permission: 'none',
  summary: 'How to sign in here, and whether a password is required.',
  responses: {
    200: Type.Object(
      { provider: Type.Union([Type.Literal('local'), Type.Literal('oauth')]), requirePassword: Type.Boolean() },
      { additionalProperties: false },
    ),
  },
  handle: ({ provider, configs }) =>
    ok({ provider: provider.name, requirePassword: configs.get('server.yaml').auth.local.requirePassword }),
})
