import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

export const authConfig = route({
  method: 'get',
  path: '/api/auth/config',
  permission: 'none',
  operationId: 'getSignInSettings',
  summary: 'How to sign in here, and whether a password is required.',
  responses: {
    200: ClosedObject({
      provider: Type.String({ description: '`local` or `oauth`, or another provider that is installed.' }),
      requirePassword: Type.Boolean({ description: 'Whether a sign-in needs the right password.' }),
      registration: Type.Union([Type.Literal('off'), Type.Literal('invite'), Type.Literal('open')], {
        description: 'Whether `POST /auth/register` creates accounts: not at all, with an invitation, or for everyone.',
      }),
      name: Type.Optional(Type.String({ description: 'The name of the server, if `server.name` of `server.yaml` sets one.' })),
      unclaimed: Type.Optional(
        Type.Literal(true, {
          description: 'Present until the server has its first administrator. The claim link is in the terminal of the server.',
        }),
      ),
    }),
  },
  handle: async ({ provider: { name }, configs, signIn }) => {
    const { server, auth } = configs.get('server.yaml')
    const { requirePassword, registration } = auth.local
    // With another provider this server does not ask for passwords.
    const isLocal = name === 'local'
    return ok({
      provider: name,
      requirePassword: isLocal && requirePassword,
      registration: isLocal ? registration : 'off',
      ...(server.name !== undefined && { name: server.name }),
      ...((await signIn.isUnclaimed()) && { unclaimed: true as const }),
    })
  },
})
