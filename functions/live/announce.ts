import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { noContent, route } from '../http/route.ts'
import { Line } from './order-player.ts'
import { readLine } from './read-line.ts'
import { refuseMuted } from './refuse-muted.ts'

/** Shows everybody who is online a notice. */
export const announce = route({
  method: 'post',
  path: '/api/admin/announcements',
  permission: 'admin.announcements.write',
  summary: 'Show everybody who is online, on every node, a notice.',
  body: ClosedObject({ text: Line }),
  responses: { 204: 'The nodes have been told.' },
  problems: ['muted'],
  handle: async (deps, { body, actor }) => {
    refuseMuted(deps, actor)
    await deps.players.announce(actor, readLine('/text', body.text))
    return noContent
  },
})
