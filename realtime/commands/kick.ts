import { refuseKick } from '../../shared/domain/accounts/account-rules.ts'
import { createAuditEntry } from '../../shared/domain/audit/audit-entry.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Command, CommandCaller, CommandContext } from './command.ts'
import { type FoundPlayer, getLivePlayers, getPlayer } from './executor/find-player.ts'
import { findText, getText } from './executor/read-arguments.ts'

/** Where the player went while the command was on its way, they are still in the game. */
const kickElsewhere = async ({ elsewhere }: CommandContext, { playerId, displayName }: FoundPlayer, reason: string) => {
  if (await elsewhere?.kick(playerId, reason)) return
  const detail = `No node has said within 2 s that it ended the session of "${displayName}"; see /who.`
  throw new AppError('unavailable', 'service-unavailable', detail)
}

/** Whether the session of the player is one of a limited sign-in, as its node reported last. */
const isLimited = async ({ elsewhere }: CommandContext, player: FoundPlayer): Promise<boolean> =>
  'position' in player ? player.isLimited === true : (await elsewhere?.whereIs(player.playerId))?.limited === true

/** Throws `beyond-own-permissions` for a player who holds more than the caller. Written first, as of every privileged command: an entry without its kick does less harm than a kick without an entry. */
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

/** `/kick`: ends a player's session on any node; they may sign in again. */
export const kick: Command = {
  name: 'kick',
  description: 'Ends the session of a player.',
  forms: [
    [
      { name: 'player', kind: 'player' },
      { name: 'reason', kind: 'text', optional: true },
    ],
  ],
  permission: 'command.kick',
  privileged: true,
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
