import type { Command } from './command.ts'
import { getLivePlayers, seesEmails } from './find-player.ts'

/** `/who`: the players of this node, with emails for those who may see them. */
export const who: Command = {
  name: 'who',
  description: 'Lists who is in the game.',
  forms: [[]],
  permission: 'command.who',
  privileged: false,
  run: (context, caller) => {
    const withEmail = seesEmails(caller)
    const players = getLivePlayers(context)
      .listPlayers()
      .map(({ displayName, playerId, email }) => ({ displayName, playerId, ...(withEmail ? { email } : {}) }))
    const names = players.map(({ displayName, email }) => (email === undefined ? displayName : `${displayName} (${email})`))
    const count = players.length === 1 ? '1 player' : `${players.length} players`
    return {
      ok: true,
      text: [`${count} in the game`, ...(names.length === 0 ? [] : [names.join(', ')])].join(': '),
      data: { players },
    }
  },
}
