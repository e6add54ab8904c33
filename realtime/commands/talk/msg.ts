import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Command, CommandCaller, CommandContext, CommandReply } from '../command.ts'
import { createRefusal } from '../executor/decide-command.ts'
import { getLivePlayers, getPlayer, isHiddenEmail } from '../executor/find-player.ts'
import { getText } from '../executor/read-arguments.ts'

const text = { name: 'text', kind: 'text' } as const

const notInGame = (name: string) =>
  new AppError('not-found', 'not-found', `"${name}" is not in the game. Use /who to list the players.`)

type Partner = { readonly playerId: string; readonly displayName: string }

/** The answer does not reveal whether the other player ignores the caller. */
const whisper = async (context: CommandContext, { actor }: CommandCaller, to: Partner, said: string): Promise<CommandReply> => {
  const live = getLivePlayers(context)
  const line = { fromId: actor.playerId, from: actor.displayName, text: said }
  const here = await live.whisper(to.playerId, line)
  const whispered = here === 'absent' ? await context.elsewhere?.whisper(to.playerId, line) : here
  if (whispered === 'busy')
    return createRefusal('refused', `${to.displayName} gets too many messages at the moment. Send it again.`)
  if (whispered !== 'told' && live.listPlayers().some(({ playerId, isLost }) => isLost === true && playerId === to.playerId))
    return createRefusal('refused', `${to.displayName} has lost the connection. Send it again when they are back.`)
  if (whispered !== 'told') throw notInGame(to.displayName)
  live.noteWhisper(actor.playerId, to)
  return { ok: true, text: `To ${to.displayName}: ${said}`, data: { playerId: to.playerId } }
}

/** `/msg`: sends a private line to one player on any node. */
export const msg: Command = {
  ...knownCommand('msg'),
  description: 'Sends a private message to a player.',
  forms: [[{ name: 'player', kind: 'player' }, text]],
  run: async (context, caller, args) => {
    const named = getText(args, 'player')
    if (isHiddenEmail(caller, named)) throw notInGame(named)
    const { playerId, displayName } = await getPlayer(context, caller, named)
    if (playerId === caller.playerId) throw new AppError('invalid', 'bad-request', 'You cannot send a message to yourself.')
    return whisper(context, caller, { playerId, displayName }, getText(args, text.name))
  },
}

/** `/r`: sends a private line to the last whisper partner. */
export const reply: Command = {
  ...knownCommand('r'),
  description: 'Replies to the player of your last /msg.',
  forms: [[text]],
  run: async (context, caller, args) => {
    const to = getLivePlayers(context).lastWhisper(caller.actor.playerId)
    if (to === undefined) throw new AppError('not-found', 'not-found', 'You have no message to reply to. Use /msg to send one.')
    return whisper(context, caller, to, getText(args, text.name))
  },
}
