import type { Command } from './command.ts'
import { getLivePlayers, seesEmails } from './find-player.ts'

/** A list of everybody would be a long answer to a short question, and stall the game where many ask. */
const playersShown = 100

/** `/who`: how many play on this node and the first of them by name, with emails for those who may see them. */
export const who: Command = {
  name: 'who',
  description: 'Lists who is in the game.',
  forms: [[]],
  permission: 'command.who',
  privileged: false,
  run: (context, caller) => {
    const withEmail = seesEmails(caller)
    const everybody = getLivePlayers(context).listPlayers()
    const players = everybody
      .slice(0, playersShown)
      .map(({ displayName, playerId, email }) => ({ displayName, playerId, ...(withEmail ? { email } : {}) }))
    const names = players.map(({ displayName, email }) => (email === undefined ? displayName : `${displayName} (${email})`))
    const count = everybody.length === 1 ? '1 player' : `${everybody.length} players`
    const more = everybody.length > players.length ? `, and ${everybody.length - players.length} more` : ''
    return {
      ok: true,
      text: [`${count} in the game`, ...(names.length === 0 ? [] : [`${names.join(', ')}${more}`])].join(': '),
      data: { players, count: everybody.length },
    }
  },
}
