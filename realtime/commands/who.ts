import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { PlayerElsewhere } from '../node-links/remote-players.ts'
import type { Command, CommandContext } from './command.ts'
import { getLivePlayers, listElsewhere, seesEmails } from './executor/find-player.ts'

/** More names would be hard to read, and expensive if many players use the command. */
const playersShown = 100

type Listed = {
  readonly displayName: string
  readonly playerId: string
  readonly email?: string | undefined
  /** Absent for players on this node. */
  readonly world?: string | undefined
  readonly isLost?: true
}

const readEmails = ({ accountStore }: CommandContext, players: readonly PlayerElsewhere[]): Promise<readonly Listed[]> =>
  Promise.all(players.map(async (player) => ({ ...player, email: (await accountStore.findByPlayerId(player.playerId))?.email })))

const describePlayer = ({ displayName, email, isLost }: Listed): string => {
  const facts = [...(email === undefined ? [] : [email]), ...(isLost ? ['connection lost'] : [])]
  return facts.length === 0 ? displayName : `${displayName} (${facts.join(', ')})`
}

const joinNames = (players: readonly Listed[]): string => players.map(describePlayer).join(', ')

/** One line for each other world. */
const describeWorlds = (players: readonly Listed[]): string[] =>
  [...new Set(players.map(({ world }) => world))].sort().map((name) => {
    const names = joinNames(players.filter(({ world }) => world === name))
    return `${name === undefined ? 'On other nodes' : `In the world ${name}`}: ${names}`
  })

/** `/who`: the number of players on all nodes, and the first of them by name. Callers with the permission also see emails. */
export const who: Command = {
  ...knownCommand('who'),
  description: 'Lists the players in the game.',
  forms: [[]],
  run: async (context, caller) => {
    const withEmail = seesEmails(caller)
    const everybodyHere = getLivePlayers(context).listPlayers()
    const elsewhere = await listElsewhere(context).catch(() => undefined)
    const here = everybodyHere.slice(0, playersShown).map(
      ({ displayName, playerId, email, isLost }): Listed => ({
        displayName,
        playerId,
        ...(withEmail && { email }),
        ...(isLost && { isLost }),
      }),
    )
    const others = elsewhere?.slice(0, playersShown - here.length) ?? []
    const there = withEmail ? await readEmails(context, others) : others
    const count = everybodyHere.length + (elsewhere?.length ?? 0)
    const hidden = count - here.length - there.length
    const title = `${count === 1 ? '1 player' : `${count} players`} in the game`
    const lines = [
      here.length === 0 ? title : `${title}: ${joinNames(here)}`,
      ...describeWorlds(there),
      ...(elsewhere === undefined ? ['The players on other nodes are unknown at the moment.'] : []),
    ]
    const more = hidden > 0 ? `, and ${hidden} more` : ''
    return { ok: true, text: `${lines.join('\n')}${more}`, data: { players: [...here, ...there], count } }
  },
}
