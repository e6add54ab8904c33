import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import type { Command } from '../command.ts'
import { getText } from '../executor/read-arguments.ts'
import { getSanctionedAccount, tellImposed } from './sanction-target.ts'

/** `/warn`: warns a player now or at the next visit, until the player has seen the warning. */
export const warn: Command = {
  ...knownCommand('warn'),
  description: 'Warns a player now, or at the next visit.',
  forms: [
    [
      { name: 'player', kind: 'player' },
      { name: 'reason', kind: 'text' },
    ],
  ],
  run: async (context, caller, args) => {
    const warned = await getSanctionedAccount(context, caller, getText(args, 'player'))
    const input = { kind: 'warning', ...warned.of, reason: getText(args, 'reason') } as const
    const { id, reason } = await context.sanctions.impose(caller.actor, input, caller.address)
    return { ok: true, text: tellImposed(`${warned.name} is warned: ${reason}`, warned), data: { id } }
  },
}
