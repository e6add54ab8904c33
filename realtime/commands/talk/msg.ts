import { AppError } from '../../../shared/kernel/errors.ts'
import type { Command, CommandCaller, CommandContext, CommandReply } from '../command.ts'
import { createRefusal } from '../executor/decide-command.ts'
import { getLivePlayers, getPlayer, isHiddenEmail } from '../executor/find-player.ts'
import { getText } from '../executor/read-arguments.ts'

const text = { name: 'text', kind: 'text' } as const

const notInGame = (name: string) => new AppError('not-found', 'not-found', `"${name}" is not in the game; see /who.`)

type Partner = { readonly playerId: string; readonly displayName: string }

/** Whether they wanted to hear it is not told. */
const whisper = async (context: CommandContext, { actor }: CommandCaller, to: Partner, said: string): Promise<CommandReply> => {
  const live = getLivePlayers(context)
  const line = { fromId: actor.playerId, from: actor.displayName, text: said }
  const here = await live.whisper(to.playerId, line)
  const whispered = here === 'absent' ? await context.elsewhere?.whisper(to.playerId, line) : here
  if (whispered === 'busy') return createRefusal('refused', `Many write to ${to.displayName} at this moment; say it again.`)
  if (whispered !== 'told' && live.listPlayers().some(({ playerId, isLost }) => isLost === true && playerId === to.playerId))
    return createRefusal('refused', `${to.displayName} has lost the connection; say it again when they are back.`)
  if (whispered !== 'told') throw notInGame(to.displayName)
  live.noteWhisper(actor.playerId, to)
  return { ok: true, text: `To ${to.displayName}: ${said}`, data: { playerId: to.playerId } }
}

/** `/msg`: a line that one player alone reads, on whichever node they are. */
export const msg: Command = {
  name: 'msg',
  description: 'Tells one player something that nobody else reads.',
  forms: [[{ name: 'player', kind: 'player' }, text]],
  permission: 'none',
  privileged: false,
  speaks: true,
  run: async (context, caller, args) => {
    const named = getText(args, 'player')
    if (isHiddenEmail(caller, named)) throw notInGame(named)
    const { playerId, displayName } = await getPlayer(context, caller, named)
    if (playerId === caller.playerId) throw new AppError('invalid', 'bad-request', 'That is you.')
    return whisper(context, caller, { playerId, displayName }, getText(args, text.name))
  },
}

/** `/r`: answers who wrote last, or whom one wrote to last. */
export const reply: Command = {
  name: 'r',
  description: 'Answers whoever you and a /msg were between last.',
  forms: [[text]],
  permission: 'none',
  privileged: false,
  speaks: true,
  run: async (context, caller, args) => {
    const to = getLivePlayers(context).lastWhisper(caller.actor.playerId)
    if (to === undefined)
      throw new AppError('not-found', 'not-found', 'Nobody has written to you since you came; begin with /msg.')
    return whisper(context, caller, to, getText(args, text.name))
  },
}
