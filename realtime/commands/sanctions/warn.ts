import type { Command } from '../command.ts'
import { getText } from '../executor/read-arguments.ts'
import { getSanctionedAccount, tellImposed } from './sanction-target.ts'

/** `/warn`: tells a player something, now or when they come in, until they have seen it. */
export const warn: Command = {
  name: 'warn',
  description: 'Warns a player, who is told now or at their next visit.',
  forms: [
    [
      { name: 'player', kind: 'player' },
      { name: 'reason', kind: 'text' },
    ],
  ],
  permission: 'command.warn',
  privileged: true,
  run: async (context, caller, args) => {
    const warned = await getSanctionedAccount(context, caller, getText(args, 'player'))
    const input = { kind: 'warning', ...warned.of, reason: getText(args, 'reason') } as const
    const { id, reason } = await context.sanctions.impose(caller.actor, input, caller.address)
    return { ok: true, text: tellImposed(`${warned.name} is warned: ${reason}`, warned), data: { id } }
  },
}
