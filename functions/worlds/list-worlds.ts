import { Type } from '@sinclair/typebox'
import { ok, route } from '../http/route.ts'
import { WorldView } from './world-view.ts'

/** Lists all worlds, including worlds with unreadable chunks. */
export const listWorlds = route({
  method: 'get',
  path: '/api/admin/worlds',
  permission: 'admin.worlds.read',
  operationId: 'listWorlds',
  summary: 'Every world, the active one first, then by name.',
  responses: { 200: Type.Array(WorldView) },
  handle: async ({ worlds }) => ok(await worlds.listWorlds()),
})
