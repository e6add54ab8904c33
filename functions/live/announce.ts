import { Type } from '@sinclair/typebox'
import { refuseUnknownScope } from '../../shared/domain/zones/refuse-unknown-scope.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { noContent, route } from '../http/route.ts'
import { Line, readLine } from './players.ts'
import { refuseMuted } from './refuse-muted.ts'

/** Shows a notice to all connected players, or to those in one world or zone. */
export const announce = route({
  method: 'post',
  path: '/api/admin/announcements',
  permission: 'admin.announcements.write',
  operationId: 'sendAnnouncement',
  isAboutZoneInBody: true,
  summary:
    'Show a notice to every connected player on every node, or only to the players in one world or one zone. A grant for that place is enough.',
  body: ClosedObject({
    text: Line,
    world: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only for players in this world.' })),
    zone: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only for players inside the bounds of this zone, enabled or not.' }),
    ),
  }),
  responses: { 204: 'The nodes have received it.' },
  problems: ['muted', 'rule-broken'],
  handle: async (deps, { body, actor }) => {
    refuseMuted(deps, actor)
    const { world, zone } = body
    const text = readLine('/text', body.text)
    await refuseUnknownScope(deps, body)
    await deps.players.announce(actor, { text, world, zone })
    return noContent
  },
})
