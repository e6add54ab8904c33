import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
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
  const text = isIgnored ? `${displayName} is now ignored.` : `${displayName} is no longer ignored.`
  return { ok: true, text, data: { playerId, ignored: ignored.size } }
}

/**
 * `/ignore`: hides chat and /msg of a player from the caller. The other player does not learn of it. Without a name it lists the
 * ignored players.
 */
export const ignore: Command = {
  ...knownCommand('ignore'),
  description: 'Hides chat and /msg of a player from you, or lists the players you ignore.',
  forms: [[], [player]],
  run: async (context, caller, args) => {
    getLivePlayers(context)
    const named = findText(args, player.name)
    if (named === undefined) {
      const ignored = await listIgnored(context, caller.actor.playerId)
      const names = ignored.map(({ displayName }) => displayName).join(', ')
      return { ok: true, text: names === '' ? 'You do not ignore anyone.' : `You ignore: ${names}`, data: { ignored } }
    }
    if (named.includes('@') && !seesEmails(caller)) throw new AppError('not-found', 'not-found', 'Use the name that /who shows.')
    const found = await getPlayer(context, caller, named)
    if (found.playerId === caller.playerId) throw new AppError('invalid', 'bad-request', 'You cannot ignore yourself.')
    return change(context, caller, found, true)
  },
}

/** `/unignore`: stops ignoring a player, who may be offline. */
export const unignore: Command = {
  ...knownCommand('unignore'),
  description: 'Stops ignoring a player.',
  forms: [[player]],
  run: async (context, caller, args) => {
    getLivePlayers(context)
    const folded = fold(getText(args, player.name))
    const matches = (await listIgnored(context, caller.actor.playerId)).filter(
      ({ playerId, displayName }) => playerId === folded || fold(displayName) === folded,
    )
    const [only, ...others] = matches
    if (only === undefined)
      throw new AppError('not-found', 'not-found', 'You do not ignore a player with that name. Use /ignore to list them.')
    if (others.length > 0) {
      const ids = matches.map(({ playerId }) => playerId).join(', ')
      throw new AppError('conflict', 'conflict', `You ignore several players with that name. Use a playerId: ${ids}.`)
    }
    return change(context, caller, only, false)
  },
}
