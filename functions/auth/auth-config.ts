import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

/** Tells a client how to sign in. */
export const authConfig = route({
  method: 'get',
  path: '/api/auth/config',
  permission: 'none',
  summary: 'How to sign in here, and whether a password is required.',
  responses: {
    200: ClosedObject({
      provider: Type.String({ description: '`local` or `oauth`, or another that is wired in.' }),
      requirePassword: Type.Boolean({ description: 'Whether a password is asked for, and must be right.' }),
      registration: Type.Union([Type.Literal('off'), Type.Literal('invite'), Type.Literal('open')], {
        description: 'Who may make an account by `POST /auth/register`.',
      }),
      unclaimed: Type.Optional(
        Type.Literal(true, {
          description: 'Present until the server has its first administrator: the claim link is in its terminal.',
        }),
      ),
    }),
  },
  handle: async ({ provider: { name }, configs, signIn }) => {
    const { requirePassword, registration } = configs.get('server.yaml').auth.local
    // Elsewhere nobody is asked for a password here.
    const isLocal = name === 'local'
    return ok({
      provider: name,
      requirePassword: isLocal && requirePassword,
      registration: isLocal ? registration : 'off',
      ...((await signIn.isUnclaimed()) && { unclaimed: true as const }),
    })
  },
})
