import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

/** Says whose token it is, and which groups count by it. */
export const me = route({
  method: 'get',
  path: '/auth/me',
  permission: 'signed-in',
  summary: 'Who the token speaks for.',
  responses: {
    200: ClosedObject({
      playerId: Type.String({ format: 'uuid' }),
      displayName: Type.String(),
      verified: Type.Boolean({ description: 'Whether the sign-in was by password or by an identity provider.' }),
      groups: Type.Array(Type.String(), {
        description:
          'The groups that count in this sign-in: `defaultGroups` for an unverified one of an account with a password.',
      }),
    }),
  },
  handle: (_deps, { actor: { playerId, displayName, verified }, request }) =>
    ok({ playerId, displayName, verified, groups: request.groups() }),
})
