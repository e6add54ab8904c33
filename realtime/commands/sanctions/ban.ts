import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import type { Command } from '../command.ts'
import { getText } from '../executor/read-arguments.ts'
import { endAll } from './end-sanctions.ts'
import { getBanTarget, tellImposed } from './sanction-target.ts'
import { describeTerm, readTimedReason, timedForms } from './timed-reason.ts'

const target = { name: 'player-or-address', kind: 'player' } as const

/** `/ban`: bans an account or addresses. An IPv6 address stands for its /64. */
export const ban: Command = {
  ...knownCommand('ban'),
  description: 'Bans a player or an address, temporarily or permanently.',
  forms: timedForms(target),
  run: async (context, caller, args) => {
    const banned = await getBanTarget(context, caller, getText(args, target.name))
    const { of, name } = banned
    const input = { kind: 'ban', ...of, ...readTimedReason(context, args) } as const
    const sanction = await context.sanctions.impose(caller.actor, input, caller.address)
    const text = tellImposed(`${name} is banned ${describeTerm(sanction, context.clock.now())}: ${sanction.reason}`, banned)
    return { ok: true, text, data: { id: sanction.id } }
  },
}

/** `/unban`: ends all bans of a player, or of exactly one address range. */
export const unban: Command = {
  ...knownCommand('unban'),
  description: 'Unbans a player or an address.',
  forms: [[target]],
  run: async (context, caller, args) =>
    endAll(context, caller, 'ban', await getBanTarget(context, caller, getText(args, target.name))),
}
