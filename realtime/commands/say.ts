import type { Command } from './command.ts'
import { createRefusal } from './executor/decide-command.ts'
import { getLivePlayers } from './executor/find-player.ts'
import { getText } from './executor/read-arguments.ts'

/** `/say`: a chat line to everyone on every node. */
export const say: Command = {
  name: 'say',
  description: 'Says something to everyone.',
  forms: [[{ name: 'text', kind: 'text' }]],
  permission: 'command.say',
  privileged: false,
  speaks: true,
  run: (context, { actor }, args) => {
    return getLivePlayers(context).say(actor.displayName, getText(args, 'text'), actor.playerId)
      ? { ok: true, text: 'Said.' }
      : createRefusal('refused', 'So much is being said that this line finds no room; say it again in a moment.')
  },
}
