import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import type { Command } from '../command.ts'
import { getText } from '../executor/read-arguments.ts'
import { endAll } from './end-sanctions.ts'
import { getSanctionedAccount, tellImposed } from './sanction-target.ts'
import { describeTerm, readTimedReason, timedForms } from './timed-reason.ts'

const target = { name: 'player', kind: 'player' } as const

/** `/mute`: prevents a player from speaking to others. */
export const mute: Command = {
  ...knownCommand('mute'),
  description: 'Mutes a player, temporarily or permanently.',
  forms: timedForms(target),
  run: async (context, caller, args) => {
    const muted = await getSanctionedAccount(context, caller, getText(args, target.name))
    const input = { kind: 'mute', ...muted.of, ...readTimedReason(context, args) } as const
    const sanction = await context.sanctions.impose(caller.actor, input, caller.address)
    const text = `${muted.name} is muted ${describeTerm(sanction, context.clock.now())}: ${sanction.reason}`
    return { ok: true, text: tellImposed(text, muted), data: { id: sanction.id } }
  },
}

/** `/unmute`: ends all mutes of a player. */
export const unmute: Command = {
  ...knownCommand('unmute'),
  description: 'Unmutes a player.',
  forms: [[target]],
  run: async (context, caller, args) =>
    endAll(context, caller, 'mute', await getSanctionedAccount(context, caller, getText(args, target.name))),
}
