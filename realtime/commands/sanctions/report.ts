import { normalizeEmail } from '../../../shared/domain/accounts/email.ts'
import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { isUuid } from '../../../shared/kernel/ids.ts'
import type { Command, CommandCaller, CommandContext } from '../command.ts'
import { getLivePlayers, getPlayer } from '../executor/find-player.ts'
import { findText, getText } from '../executor/read-arguments.ts'

const text = { name: 'text', kind: 'text' } as const

/** The email of the reported player. Undefined if the word is not a player but the start of the text. */
const findAbout = async (context: CommandContext, caller: CommandCaller, named: string): Promise<string | undefined> => {
  const { accountStore } = context
  if (named.includes('@')) return (await accountStore.findByEmail(normalizeEmail(named) ?? named))?.email
  if (isUuid(named)) return (await accountStore.findByPlayerId(named.toLowerCase()))?.email
  try {
    const { playerId } = await getPlayer(context, caller, named)
    return (await accountStore.findByPlayerId(playerId))?.email
  } catch (error) {
    if (!(error instanceof AppError) || (error.kind !== 'not-found' && error.kind !== 'unavailable')) throw error
    // The player may have just left.
    return (await accountStore.findByName(named))?.email
  }
}

/** `/report`: sends a report to the moderators, with the last chat lines and the place. */
export const report: Command = {
  ...knownCommand('report'),
  description: 'Sends a report to the moderators, with the last chat lines and your position.',
  forms: [[{ name: 'player', kind: 'player' }, text], [text]],
  run: async (context, caller, args) => {
    const { email, playerId } = caller.actor
    const live = getLivePlayers(context)
    // Check this first, so that endless reports cost one read each.
    await context.reports.checkLimit(playerId)
    const named = findText(args, 'player')
    const about = named === undefined ? undefined : await findAbout(context, caller, named)
    const said = named === undefined || about !== undefined ? getText(args, 'text') : `${named} ${getText(args, 'text')}`
    const position = live.listPlayers().find((player) => player.playerId === playerId)?.position ?? { x: 0, y: 0, z: 0 }
    const place = {
      world: context.world.name,
      x: Math.floor(position.x),
      y: Math.floor(position.y),
      z: Math.floor(position.z),
    }
    const filed = { text: said, place, lastChat: live.lastChat(), ...(about !== undefined && { about }) }
    const { id } = await context.reports.file({ email, playerId }, filed)
    return { ok: true, text: 'Report sent. The moderators also see the last chat lines and your position.', data: { id } }
  },
}
