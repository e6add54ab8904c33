import { type Static, Type } from '@sinclair/typebox'
import type { LiveNode } from '../../shared/domain/presence/presence.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

export const NodeView = ClosedObject({
  nodeId: Type.String(),
  world: Type.String(),
  url: Type.String({ description: 'Where clients reach the node: `{url}/realtime`.' }),
  sessions: Type.Integer({ minimum: 0, description: 'Connected players.' }),
  maxSessions: Type.Integer({ minimum: 0 }),
  state: Type.Union([Type.Literal('ready'), Type.Literal('draining')], {
    description: '`draining`: the node is stopping and accepts no players.',
  }),
})

const toView = ({ nodeId, world, url, sessions, maxSessions, state }: LiveNode): Static<typeof NodeView>[] =>
  world === undefined || state === 'standby' ? [] : [{ nodeId, world, url, sessions, maxSessions, state }]

/** Lists the address of each running world. Nodes without a world are not for clients. */
export const listNodes = route({
  method: 'get',
  path: '/api/realtime/nodes',
  permission: 'none',
  operationId: 'listRealtimeNodes',
  summary: 'The real-time nodes with their worlds and loads.',
  responses: {
    200: ClosedObject({ items: Type.Array(NodeView, { description: 'By world and node.' }) }),
  },
  problems: ['service-unavailable'],
  handle: async ({ nodes }) => ok({ items: (await nodes.list()).flatMap(toView) }),
})
