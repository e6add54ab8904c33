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
      {
        provider: Type.String({ description: '`local` or `oauth`, or another that is wired in.' }),
        requirePassword: Type.Boolean({ description: 'Whether a password is asked for, and must be right.' }),
      },
      { additionalProperties: false },
    ),
  },
  handle: ({ provider: { name }, configs }) => {
    const { requirePassword } = configs.get('server.yaml').auth.local
    // Elsewhere nobody is asked for a password here.
    return ok({ provider: name, requirePassword: name === 'local' && requirePassword })
  },
})
