import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { Command } from './command.ts'
import { createRefusal } from './executor/decide-command.ts'
import { getLivePlayers } from './executor/find-player.ts'
import { getText } from './executor/read-arguments.ts'

/** `/say`: sends a chat line to all players on all nodes. */
export const say: Command = {
  ...knownCommand('say'),
  description: 'Sends a chat line to all players.',
  forms: [[{ name: 'text', kind: 'text' }]],
  run: (context, { actor }, args) => {
    return getLivePlayers(context).say(actor.displayName, getText(args, 'text'), actor.playerId)
      ? { ok: true, text: 'Said.' }
      : createRefusal('refused', 'The chat is too busy for this line. Send it again in a moment.')
  },
}
