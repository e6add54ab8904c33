import { Type } from '@sinclair/typebox'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { route } from '../http/route.ts'

/** The address of a world's live feed, for requests without an upgrade to WebSocket. Upgrades never come here. */
export const openWorldFeed = route({
  method: 'get',
  path: '/api/admin/ws/worlds/:world',
  permission: 'admin.worlds.read',
  operationId: 'openWorldFeed',
  summary:
    'The live feed of a world over WebSocket, as JSON text frames: players in view, changed map tiles, zones and chat. It names players who join and leave, and on request changed blocks. Authenticate with `Authorization` or the subprotocols `gatehouse.feed.v1` and `bearer.<token>`.',
  params: Type.Object({ world: WorldName }),
  responses: { 101: 'The feed begins. It sends what a `view` includes.' },
  problems: ['not-found', 'origin-not-allowed', 'upgrade-required'],
  handle: async ({ worlds }, { params }) => {
    await worlds.getWorld(params.world)
    throw new AppError(
      'invalid',
      'upgrade-required',
      'This address only accepts WebSocket connections. Open it with a WebSocket client.',
    )
  },
})
