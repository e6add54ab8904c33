import { AppError } from '../../shared/kernel/errors.ts'
import type { Command, CommandContext } from './command.ts'
import { findText, getText } from './executor/read-arguments.ts'
import { type FoundPlayer, getLivePlayers, getPlayer } from './find-player.ts'

/** Where the player went while the command was on its way, they are still in the game. */
const kickElsewhere = async ({ elsewhere }: CommandContext, { playerId, displayName }: FoundPlayer, reason: string) => {
  if (await elsewhere?.kick(playerId, reason)) return
  const detail = `No node has said within 2 s that it ended the session of "${displayName}"; see /who.`
  throw new AppError('unavailable', 'service-unavailable', detail)
}

/** `/kick`: ends a player's session on whatever node; they may sign in again. */
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
    if ('position' in player) getLivePlayers(context).kick(playerId, reason)
    else await kickElsewhere(context, player, reason)
    return { ok: true, text: `Kicked "${displayName}".`, data: { playerId } }
  },
}
