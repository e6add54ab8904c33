import { readIgnored, setIgnored } from '../../../shared/domain/players/ignored-players.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Command, CommandCaller, CommandContext, CommandReply } from '../command.ts'
import { getLivePlayers, getPlayer, seesEmails } from '../executor/find-player.ts'
import { findText, getText } from '../executor/read-arguments.ts'

const player = { name: 'player', kind: 'player' } as const

type Ignored = { readonly playerId: string; readonly displayName: string }

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase()

const listIgnored = async ({ store, accountStore }: CommandContext, playerId: string): Promise<readonly Ignored[]> => {
  const ids = await readIgnored(store, playerId)
  const accounts = await Promise.all([...ids].map((id) => accountStore.findByPlayerId(id)))
  return [...ids].map((id, at) => ({ playerId: id, displayName: accounts[at]?.displayName ?? id }))
}

const change = async (
  context: CommandContext,
  { actor }: CommandCaller,
  { playerId, displayName }: Ignored,
  isIgnored: boolean,
): Promise<CommandReply> => {
  const ignored = await setIgnored(context.store, actor.playerId, playerId, isIgnored)
  context.live?.setIgnored(actor.playerId, ignored)
  const text = isIgnored ? `You do not hear ${displayName} any more.` : `You hear ${displayName} again.`
  return { ok: true, text, data: { playerId, ignored: ignored.size } }
}

/** `/ignore`: chat and /msg of a player do not arrive any more, and they are not told; without a name, whom one ignores. */
export const ignore: Command = {
  name: 'ignore',
  description: 'Keeps chat and /msg of a player from you, or lists whom you ignore.',
  forms: [[], [player]],
  permission: 'none',
  privileged: false,
  changesAccount: true,
  run: async (context, caller, args) => {
    getLivePlayers(context)
    const named = findText(args, player.name)
    if (named === undefined) {
      const ignored = await listIgnored(context, caller.actor.playerId)
      const names = ignored.map(({ displayName }) => displayName).join(', ')
      return { ok: true, text: names === '' ? 'You ignore nobody.' : `You ignore: ${names}`, data: { ignored } }
    }
    if (named.includes('@') && !seesEmails(caller)) throw new AppError('not-found', 'not-found', 'Name the player as /who does.')
    const found = await getPlayer(context, caller, named)
    if (found.playerId === caller.playerId) throw new AppError('invalid', 'bad-request', 'That is you.')
    return change(context, caller, found, true)
  },
}

/** `/unignore`: hears a player again, in the game or not. */
export const unignore: Command = {
  name: 'unignore',
  description: 'Hears a player again whom you ignored.',
  forms: [[player]],
  permission: 'none',
  privileged: false,
  changesAccount: true,
  run: async (context, caller, args) => {
    getLivePlayers(context)
    const wanted = fold(getText(args, player.name))
    const matches = (await listIgnored(context, caller.actor.playerId)).filter(
      ({ playerId, displayName }) => playerId === wanted || fold(displayName) === wanted,
    )
    const [only, ...others] = matches
    if (only === undefined) throw new AppError('not-found', 'not-found', 'You ignore nobody of that name; /ignore lists them.')
    if (others.length > 0) {
      const ids = matches.map(({ playerId }) => playerId).join(', ')
      throw new AppError('conflict', 'conflict', `You ignore several of that name; use a playerId: ${ids}.`)
    }
    return change(context, caller, only, false)
  },
}
