import { AppError } from '../../shared/kernel/errors.ts'
import { coversRules } from '../../shared/permissions/covers-rules.ts'
import type { CommandCaller, CommandContext, CommandReply } from './command.ts'
import { findPermissionRefusal } from './executor/decide-command.ts'
import { getNamedAccount } from './find-player.ts'

/** Whose commands are switched. */
export type SwitchTarget = {
  readonly playerId: string
  readonly email: string
  readonly displayName: string
  readonly isSelf: boolean
}

/** The caller's own player; throws `invalid` for callers without one. */
export const getSelf = ({ actor, playerId }: CommandCaller): SwitchTarget => {
  if (playerId === undefined)
    throw new AppError('invalid', 'bad-request', 'Name the player: you have no commands to switch yourself.')
  return { ...actor, playerId, isSelf: true }
}

/** Undefined when the caller may switch commands of others. */
export const refuseOthers = ({ actor }: CommandCaller): CommandReply | undefined =>
  findPermissionRefusal(actor, {
    what: 'Switching commands of others',
    permission: 'command.disable.others',
    privileged: true,
  })

/** The named account, the caller's own included; throws `forbidden` when it holds a permission that the caller lacks. */
export const getOther = async (context: CommandContext, caller: CommandCaller, named: string): Promise<SwitchTarget> => {
  const account = await getNamedAccount(context, caller, named)
  if (account.playerId === caller.playerId) return getSelf(caller)
  if (!coversRules(caller.actor.rules, context.permissions.rulesFor(account.groups)))
    throw new AppError(
      'forbidden',
      'beyond-own-permissions',
      'That account holds a permission that you lack; ask somebody who has it.',
    )
  return { ...account, isSelf: false }
}

/** Whether a name is the caller's own email or playerId. */
export const namesSelf = (named: string, { actor, playerId }: CommandCaller): boolean =>
  playerId !== undefined && [actor.email, playerId].includes(named.trim().toLowerCase())
