import { Type } from '@sinclair/typebox'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { route } from '../http/route.ts'

/** The address of a world's live feed, for requests that are no upgrade to WebSocket: those never come here. */
export const openWorldFeed = route({
  method: 'get',
  path: '/api/admin/ws/worlds/:world',
  permission: 'admin.worlds.read',
  summary:
    'The live feed of a world, over WebSocket: players in view, changed tiles of the map, zones, chat, and players who join and leave, as JSON text frames, by `Authorization` or the subprotocols `gatehouse.feed.v1` and `bearer.<token>`.',
  params: Type.Object({ world: WorldName }),
  responses: { 101: 'The feed begins; it tells of what a `view` shows.' },
  problems: ['not-found', 'origin-not-allowed', 'upgrade-required'],
  handle: async ({ worlds }, { params }) => {
    await worlds.getWorld(params.world)
    throw new AppError('invalid', 'upgrade-required', 'This address speaks WebSocket only; open it with a WebSocket client.')
  },
})
