import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

/** Returns the account of the token, and the groups that count in this sign-in. */
export const me = route({
  method: 'get',
  path: '/auth/me',
  permission: 'signed-in',
  operationId: 'getOwnAccount',
  summary: 'The account of the token.',
  responses: {
    200: ClosedObject({
      playerId: Type.String({ format: 'uuid' }),
      displayName: Type.String(),
      verified: Type.Boolean({ description: 'Whether the sign-in was by password or by an identity provider.' }),
      groups: Type.Array(Type.String(), {
        description:
          'The groups that count in this sign-in. An unverified sign-in of an account with a password has `defaultGroups` only.',
      }),
    }),
  },
  handle: (_deps, { actor: { playerId, displayName, verified }, request }) =>
    ok({ playerId, displayName, verified, groups: request.groups() }),
})
