import { AppError } from '../../shared/kernel/errors.ts'
import { isInBounds } from '../move-budget.ts'
import type { ArgumentValues, Command, CommandCaller, CommandContext, Position } from './command.ts'
import { getLivePlayer, getLivePlayers } from './find-player.ts'
import { findNumber, findText } from './read-arguments.ts'

type Place = Pick<Position, 'x' | 'y' | 'z'>

const readPlace = (context: CommandContext, caller: CommandCaller, args: ArgumentValues): Place => {
  const player = findText(args, 'player')
  if (player !== undefined) {
    const { x, y, z } = getLivePlayer(context, caller, player).position
    return { x, y, z }
  }
  return {
    x: findNumber(args, 'x') ?? Number.NaN,
    y: findNumber(args, 'y') ?? Number.NaN,
    z: findNumber(args, 'z') ?? Number.NaN,
  }
}

/** `/tp`: moves the caller to a place or to a player; where they look stays as it is. */
export const tp: Command = {
  name: 'tp',
  description: 'Takes you to a place, or to a player.',
  forms: [
    [
      { name: 'x', kind: 'number' },
      { name: 'y', kind: 'number' },
      { name: 'z', kind: 'number' },
    ],
    [{ name: 'player', kind: 'player' }],
  ],
  permission: 'command.tp',
  privileged: false,
  run: (context, caller, args) => {
    const live = getLivePlayers(context)
    const self = live.listPlayers().find(({ playerId }) => playerId === caller.playerId)
    if (self === undefined) throw new AppError('not-found', 'not-found', 'Only a player in the game can be moved.')
    const to = { ...self.position, ...readPlace(context, caller, args) }
    if (!isInBounds(to)) throw new AppError('unprocessable', 'bad-request', 'That is outside of the world.')
    live.teleport(self.playerId, to)
    const { x, y, z } = to
    return { ok: true, text: `You are at ${[x, y, z].map((value) => Math.round(value * 100) / 100).join(' ')}.` }
  },
}
