import { type Static, Type } from '@sinclair/typebox'
import type { LiveNode } from '../../shared/domain/presence/presence.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

const NodeView = ClosedObject({
  nodeId: Type.String(),
  world: Type.String(),
  url: Type.String({ description: 'Where clients reach the node: `{url}/realtime`.' }),
  sessions: Type.Integer({ minimum: 0, description: 'Players who are connected.' }),
  maxSessions: Type.Integer({ minimum: 0 }),
  state: Type.Union([Type.Literal('ready'), Type.Literal('draining')], {
    description: '`draining`: it stops and takes nobody in.',
  }),
})

const toView = ({ nodeId, world, url, sessions, maxSessions, state }: LiveNode): Static<typeof NodeView>[] =>
  world === undefined || state === 'standby' ? [] : [{ nodeId, world, url, sessions, maxSessions, state }]

/** Tells a client which address serves which world; nodes that run none are not for clients. */
export const listNodes = route({
  method: 'get',
  path: '/api/realtime/nodes',
  permission: 'none',
  summary: 'Which real-time node serves which world, and how full it is.',
  responses: {
    200: ClosedObject({ items: Type.Array(NodeView, { description: 'By world and node.' }) }),
  },
  problems: ['service-unavailable'],
  handle: async ({ nodes }) => ok({ items: (await nodes.list()).flatMap(toView) }),
})
