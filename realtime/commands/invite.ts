import { createInvitations } from '../../shared/domain/auth/own-accounts/invitations.ts'
import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { describeDuration } from '../../shared/domain/sanctions/duration.ts'
import type { Command } from './command.ts'
import { findList, findNumber } from './executor/read-arguments.ts'

/** `/invite`: creates the link of an invitation for one account. */
export const invite: Command = {
  ...knownCommand('invite'),
  description: 'Creates an invitation link for one account. It is valid for a week, or for the given time.',
  forms: [
    [
      { name: 'duration', kind: 'duration', optional: true },
      { name: 'groups', kind: 'list', optional: true },
    ],
  ],
  run: async (context, { actor }, args) => {
    const durationMs = findNumber(args, 'duration')
    const groups = findList(args, 'groups')
    const { code, ...invitation } = await createInvitations(context).create(actor, {
      ...(durationMs !== undefined && { until: new Date(context.clock.now() + durationMs).toISOString() }),
      ...(groups !== undefined && { groups }),
    })
    const isOff = context.configs.get('server.yaml').auth.local.registration === 'off'
    const hint = isOff ? ' Registration is off: set auth.local.registration to invite in server.yaml.' : ''
    const link = new URL(`/play#invite=${code}`, context.baseUrl).href
    const remaining = describeDuration(Date.parse(invitation.until) - context.clock.now())
    const text = `${link} This link creates one account. It expires in ${remaining}.${hint}`
    return { ok: true, text, data: { ...invitation, code, link } }
  },
}
