import { refuseKick } from '../../shared/domain/accounts/who-may-grant.ts'
import { createAuditEntry } from '../../shared/domain/audit/audit-entry.ts'
import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Command, CommandCaller, CommandContext } from './command.ts'
import { type FoundPlayer, getLivePlayers, getPlayer } from './executor/find-player.ts'
import { findText, getText } from './executor/read-arguments.ts'

/** If the player moved to another node in the meantime, they stay in the game. */
const kickElsewhere = async ({ elsewhere }: CommandContext, { playerId, displayName }: FoundPlayer, reason: string) => {
  if (await elsewhere?.kick(playerId, reason)) return
  const detail = `No node confirmed the kick of "${displayName}" within 2 s. Use /who to see if the player is still in the game.`
  throw new AppError('unavailable', 'service-unavailable', detail)
}

/** Whether the player has a limited sign-in, according to the last report of their node. */
const isLimited = async ({ elsewhere }: CommandContext, player: FoundPlayer): Promise<boolean> =>
  'position' in player ? player.isLimited === true : (await elsewhere?.whereIs(player.playerId))?.limited === true

/**
 * Writes the audit entry before the kick: an entry without a kick does less harm than a kick without an entry. Throws
 * `beyond-own-permissions` if the player has more permissions than the caller.
 */
const auditKick = async (
  context: CommandContext,
  { actor }: CommandCaller,
  player: FoundPlayer,
  reason: string,
): Promise<void> => {
  const { playerId } = player
  const account = await context.accountStore.findByPlayerId(playerId)
  if (account !== undefined) refuseKick(context.permissions, actor.rules, account, await isLimited(context, player))
  const email = account?.email ?? ('email' in player ? player.email : undefined)
  const entry = { action: 'player.kick', target: email ?? playerId, before: null, after: { playerId, reason } }
  await context.audit.append([createAuditEntry(context, actor, entry)])
}

/** `/kick`: ends the session of a player on any node. The player may sign in again. */
export const kick: Command = {
  ...knownCommand('kick'),
  description: 'Kicks a player out of the game.',
  forms: [
    [
      { name: 'player', kind: 'player' },
      { name: 'reason', kind: 'text', optional: true },
    ],
  ],
  run: async (context, caller, args) => {
    const player = await getPlayer(context, caller, getText(args, 'player'))
    const { playerId, displayName } = player
    const reason = findText(args, 'reason') ?? `Kicked by ${caller.actor.displayName}.`
    await auditKick(context, caller, player, reason)
    if ('position' in player) getLivePlayers(context).kick(playerId, reason)
    else await kickElsewhere(context, player, reason)
    return { ok: true, text: `Kicked "${displayName}".`, data: { playerId } }
  },
}
