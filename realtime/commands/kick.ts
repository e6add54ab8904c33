import type { Command } from './command.ts'
import { getLivePlayer, getLivePlayers } from './find-player.ts'
import { findText, getText } from './read-arguments.ts'

/** `/kick`: ends a player's session; they may sign in again. */
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
  run: (context, caller, args) => {
    const { playerId, displayName } = getLivePlayer(context, caller, getText(args, 'player'))
    const reason = findText(args, 'reason')
    getLivePlayers(context).kick(playerId, reason ?? `Kicked by ${caller.actor.displayName}.`)
    return { ok: true, text: `Kicked "${displayName}".`, data: { playerId } }
  },
}
