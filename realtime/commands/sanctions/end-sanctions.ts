import type { Sanction } from '../../../shared/domain/sanctions/sanction.ts'
import type { CommandCaller, CommandContext, CommandReply } from '../command.ts'
import { listInForce, type SanctionTarget } from './sanction-target.ts'

const past = { ban: 'banned', mute: 'muted', warning: 'warned' } as const

const nothingToEnd = (context: CommandContext, kind: Sanction['kind'], { of, name }: SanctionTarget): CommandReply => {
  const wider = 'address' in of && !of.address.includes('/') ? context.activeSanctions.findAddressBan(of.address) : undefined
  const hint = wider?.address === undefined ? '' : ` It is in the banned range ${wider.address}.`
  return { ok: true, text: `${name} is not ${past[kind]}.${hint}`, data: { ids: [] } }
}

/** Ends all active sanctions of a kind. */
export const endAll = async (
  context: CommandContext,
  caller: CommandCaller,
  kind: Sanction['kind'],
  target: SanctionTarget,
): Promise<CommandReply> => {
  await context.activeSanctions.catchUp()
  const found = listInForce(context, kind, target)
  if (found.length === 0) return nothingToEnd(context, kind, target)
  for (const { id } of found) await context.sanctions.end(caller.actor, id, caller.address)
  return { ok: true, text: `${target.name} is no longer ${past[kind]}.`, data: { ids: found.map(({ id }) => id) } }
}
