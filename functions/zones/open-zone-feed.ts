import { AppError } from '../../shared/kernel/errors.ts'
import { route } from '../http/route.ts'
import { ZoneParams } from './zones.ts'

/** The address of a zone's live feed, for requests without an upgrade to WebSocket. Upgrades never come here. */
export const openZoneFeed = route({
  method: 'get',
  path: '/api/admin/ws/instances/:id',
  permission: 'admin.instances.read',
  operationId: 'openZoneFeed',
  summary:
    'The live feed of a zone over WebSocket, as JSON text frames. Authenticate with `Authorization` or the subprotocols `gatehouse.feed.v1` and `bearer.<token>`. Edits need admin.instances.write.',
  params: ZoneParams,
  responses: { 101: 'The feed begins, with the zone as its first message.' },
  problems: ['not-found', 'origin-not-allowed', 'upgrade-required'],
  handle: async ({ zones }, { params }) => {
    await zones.getZone(params.id)
    throw new AppError(
      'invalid',
      'upgrade-required',
      'This address only accepts WebSocket connections. Open it with a WebSocket client.',
    )
  },
})
