import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { noContent, route } from '../http/route.ts'
import { Line } from './order-player.ts'

/** Shows everybody who is online a notice. */
export const announce = route({
  method: 'post',
  path: '/api/admin/announcements',
  permission: 'admin.announcements.write',
  summary: 'Show everybody who is online, on every node, a notice.',
  body: ClosedObject({ text: Line }),
  responses: { 204: 'The nodes have been told.' },
  handle: async ({ players }, { body, actor }) => {
    await players.announce(actor, body.text)
    return noContent
  },
})
