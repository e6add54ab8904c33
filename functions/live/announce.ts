import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { noContent, route } from '../http/route.ts'
import { Line } from './order-player.ts'
import { readLine } from './read-line.ts'
import { refuseMuted } from './refuse-muted.ts'

/** Shows a notice to all connected players. */
export const announce = route({
  method: 'post',
  path: '/api/admin/announcements',
  permission: 'admin.announcements.write',
  summary: 'Show a notice to every connected player, on every node.',
  body: ClosedObject({ text: Line }),
  responses: { 204: 'The nodes have received it.' },
  problems: ['muted'],
  handle: async (deps, { body, actor }) => {
    refuseMuted(deps, actor)
    await deps.players.announce(actor, readLine('/text', body.text))
    return noContent
  },
})
