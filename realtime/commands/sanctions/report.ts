import { normalizeEmail } from '../../../shared/domain/accounts/email.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { isUuid } from '../../../shared/kernel/ids.ts'
import type { Command, CommandCaller, CommandContext } from '../command.ts'
import { getLivePlayers, getPlayer } from '../executor/find-player.ts'
import { findText, getText } from '../executor/read-arguments.ts'

const text = { name: 'text', kind: 'text' } as const

/** The email of the player who is meant; undefined where nobody is, and the word begins the text. */
const findAbout = async (context: CommandContext, caller: CommandCaller, named: string): Promise<string | undefined> => {
  const { accountStore } = context
  if (named.includes('@')) return (await accountStore.findByEmail(normalizeEmail(named) ?? named))?.email
  if (isUuid(named)) return (await accountStore.findByPlayerId(named.toLowerCase()))?.email
  try {
    const { playerId } = await getPlayer(context, caller, named)
    return (await accountStore.findByPlayerId(playerId))?.email
  } catch (error) {
    if (!(error instanceof AppError) || (error.kind !== 'not-found' && error.kind !== 'unavailable')) throw error
    // Perhaps somebody who has just left.
    return (await accountStore.findByName(named))?.email
  }
}

/** `/report`: tells those who keep the peace, with the last chat and the place. */
export const report: Command = {
  name: 'report',
  description: 'Tells the moderators, with the last chat and where you stand.',
  forms: [[{ name: 'player', kind: 'player' }, text], [text]],
  permission: 'none',
  privileged: false,
  changesAccount: true,
  run: async (context, caller, args) => {
    const { email, playerId } = caller.actor
    const live = getLivePlayers(context)
    // Before anything is looked up: whoever reports without end costs one read each time.
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
    return { ok: true, text: 'Reported. The moderators see it with the last chat and where you stand.', data: { id } }
  },
}
