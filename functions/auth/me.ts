import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

/** Says whose token it is. */
export const me = route({
  method: 'get',
  path: '/auth/me',
  permission: 'signed-in',
  summary: 'Who the token speaks for.',
  responses: {
    200: ClosedObject({ playerId: Type.String({ format: 'uuid' }), displayName: Type.String() }),
  },
  handle: (_deps, { actor }) => ok({ playerId: actor.playerId, displayName: actor.displayName }),
})
