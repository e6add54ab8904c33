import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { isInBounds } from '../../shared/rules/movement/move-budget.ts'
import type { Argument, ArgumentValues, Command, CommandCaller, CommandContext, Position } from './command.ts'
import { readCoordinate } from './executor/bind-arguments.ts'
import { getLivePlayers, getPlayer, isHiddenEmail } from './executor/find-player.ts'
import { findText, getText } from './executor/read-arguments.ts'

const axes = ['x', 'y', 'z'] as const

const requireInBounds = (to: Position): void => {
  if (!isInBounds(to)) throw new AppError('unprocessable', 'bad-request', 'That position is outside the world.')
}

/** The ground at the given coordinates, which may be relative to the caller. */
const findPlace = async ({ world }: CommandContext, self: Position, args: ArgumentValues): Promise<Position> => {
  const [x, y, z] = axes.map((axis) => readCoordinate(getText(args, axis), self[axis]))
  const target = { ...self, x: x ?? self.x, y: y ?? self.y, z: z ?? self.z }
  requireInBounds(target)
  return { ...target, ...(await world.findGround({ x: target.x, y: target.y, z: target.z })) }
}

/** The position of a player of this world, with the view direction of the caller. */
const findOther = async (context: CommandContext, caller: CommandCaller, named: string): Promise<Position> => {
  if (isHiddenEmail(caller, named))
    throw new AppError('not-found', 'not-found', `"${named}" is not in the game. Use /who to list the players.`)
  const found = await getPlayer(context, caller, named)
  if ('position' in found) return found.position
  const where = found.world === undefined ? 'on another node' : `in the world ${found.world}. Connect to that world to meet them`
  throw new AppError('conflict', 'conflict', `"${found.displayName}" is ${where}.`)
}

/** `/tp`: moves the caller to the ground at a place, or to a player. The view direction does not change. */
export const tp: Command = {
  ...knownCommand('tp'),
  description: 'Moves you to the ground at x y z (~ is relative to you), or to a player.',
  forms: [axes.map((name): Argument => ({ name, kind: 'coordinate' })), [{ name: 'player', kind: 'player' }]],
  run: async (context, caller, args) => {
    const live = getLivePlayers(context)
    const self = live.listPlayers().find(({ playerId }) => playerId === caller.playerId)
    if (self === undefined)
      throw new AppError('not-found', 'not-found', 'You can only use this command while you are in the game.')
    const { position } = self
    const player = findText(args, 'player')
    const to =
      player === undefined
        ? await findPlace(context, position, args)
        : { ...(await findOther(context, caller, player)), yaw: position.yaw, pitch: position.pitch }
    requireInBounds(to)
    live.teleport(self.playerId, to)
    const { x, y, z } = to
    return { ok: true, text: `You are at ${[x, y, z].map((value) => Math.round(value * 100) / 100).join(' ')}.` }
  },
}
