import { Type } from '@sinclair/typebox'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { route } from '../http/route.ts'

/** The address of player connections, for requests without an upgrade to WebSocket. Upgrades never come here. */
export const openConnection = route({
  method: 'get',
  path: '/realtime',
  operationId: 'openConnection',
  permission: 'none',
  summary:
    'The connection of a player over WebSocket. The first message is `connect` with a token. `realtime/protocol/gatehouse.proto` defines the messages.',
  query: ClosedObject({
    world: Type.Optional(Type.String({ pattern: WorldName.pattern ?? '', description: 'The world to join.' })),
  }),
  responses: { 101: 'The connection begins. It waits for `connect`.' },
  problems: ['not-found', 'upgrade-required'],
  handle: async ({ worlds }, { query }) => {
    if (query.world !== undefined) await worlds.getWorld(query.world)
    throw new AppError(
      'invalid',
      'upgrade-required',
      'This address only accepts WebSocket connections. Open it with a WebSocket client.',
    )
  },
})
