import { Type } from '@sinclair/typebox'
import { OnlinePlayer } from '../../shared/domain/players/online-players.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { PageQuery } from '../accounts/users.ts'
import { ok, route } from '../http/route.ts'

/** Default limit: the players of most servers fit on one page. */
const limitDefault = 200

/** Lists the connected players of all nodes, a page at a time. */
export const listPlayers = route({
  method: 'get',
  path: '/api/admin/players',
  permission: 'admin.players.read',
  operationId: 'listPlayers',
  summary: 'The connected players of all nodes and where they are, at most a second old, by display name.',
  query: ClosedObject({ ...PageQuery, world: Type.Optional(Type.String({ maxLength: 64 })) }),
  responses: {
    200: ClosedObject({ players: Type.Array(OnlinePlayer), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ players }, { query: { limit = limitDefault, ...query } }) =>
    ok(await players.listPlayers({ ...query, limit })),
})
