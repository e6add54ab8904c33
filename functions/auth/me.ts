import { Type } from '@sinclair/typebox'
import { ok, route } from '../http/route.ts'

/** Says whose token it is. */
export const me = route({
  method: 'get',
  path: '/auth/me',
  permission: 'signed-in',
  summary: 'Who the token speaks for.',
  responses: {
    200: Type.Object({ playerId: Type.String({ format: 'uuid' }), displayName: Type.String() }, { additionalProperties: false }),
  },
  handle: (_deps, { actor }) => ok({ playerId: actor.playerId, displayName: actor.displayName }),
})
