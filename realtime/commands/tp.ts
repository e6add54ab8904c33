import { AppError } from '../../shared/kernel/errors.ts'
import type { ArgumentValues, Command, CommandCaller, CommandContext, Position } from './command.ts'
import { getLivePlayer, getLivePlayers } from './find-player.ts'
import { findNumber, findText } from './read-arguments.ts'

/** The world as API.md section 1 bounds it, in blocks; a player may stand on the topmost block. */
const horizontalMax = 30_000_000
const heightMax = 256

type Place = Pick<Position, 'x' | 'y' | 'z'>

const isInWorld = ({ x, y, z }: Place): boolean =>
  [x, z].every((value) => value >= -horizontalMax && value < horizontalMax) && y >= 0 && y <= heightMax

const readPlace = (context: CommandContext, caller: CommandCaller, args: ArgumentValues): Place => {
  const player = findText(args, 'player')
  if (player !== undefined) return getLivePlayer(context, caller, player).position
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
    const { x, y, z } = readPlace(context, caller, args)
    if (!isInWorld({ x, y, z }))
      throw new AppError(
        'unprocessable',
        'bad-request',
        `That is outside of the world: x and z end at ±${horizontalMax}, y at 0 and ${heightMax}.`,
      )
    live.teleport(self.playerId, { ...self.position, x, y, z })
    return { ok: true, text: `You are at ${[x, y, z].map((value) => Math.round(value * 100) / 100).join(' ')}.` }
  },
}
