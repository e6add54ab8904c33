import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { isInBounds } from '../../shared/rules/movement/move-budget.ts'
import type { SpawnControl } from '../world/world-of-node.ts'
import type { Argument, Command, CommandCaller, CommandContext, LivePlayer } from './command.ts'
import { readCoordinate } from './executor/bind-arguments.ts'
import { getLivePlayers } from './executor/find-player.ts'
import { findText } from './executor/read-arguments.ts'

const axes = ['x', 'y', 'z'] as const

const getSpawn = ({ spawn }: CommandContext): SpawnControl => {
  if (spawn !== undefined) return spawn
  throw new AppError('conflict', 'conflict', 'Use this command in the game: it needs a running world.')
}

const findSelf = (context: CommandContext, { playerId }: CommandCaller): LivePlayer | undefined =>
  getLivePlayers(context)
    .listPlayers()
    .find((player) => player.playerId === playerId)

const tell = ({ x, y, z }: { readonly x: number; readonly y: number; readonly z: number }): string =>
  [x, y, z].map((value) => Math.floor(value)).join(' ')

/** `/spawn`: moves the caller to the spawn. */
export const spawn: Command = {
  ...knownCommand('spawn'),
  description: 'Moves you to the spawn.',
  forms: [[]],
  run: (context, caller) => {
    const self = findSelf(context, caller)
    if (self === undefined)
      throw new AppError('not-found', 'not-found', 'You can only use this command while you are in the game.')
    const to = getSpawn(context).find()
    getLivePlayers(context).teleport(self.playerId, to)
    return { ok: true, text: `You are at the spawn: ${tell(to)}.`, data: { x: to.x, y: to.y, z: to.z } }
  },
}

/** `/setspawn`: sets the spawn to the position of the caller, or to the given coordinates. */
export const setSpawn: Command = {
  ...knownCommand('setspawn'),
  description: 'Sets the spawn to your position and view direction, or to x y z (~ is relative to you).',
  forms: [[], axes.map((name): Argument => ({ name, kind: 'coordinate' }))],
  run: async (context, caller, args) => {
    const self = findSelf(context, caller)?.position
    const written = axes.map((axis) => findText(args, axis))
    if (self === undefined && written.some((text) => text === undefined || text.startsWith('~')))
      throw new AppError('invalid', 'bad-request', 'Give x y z: you have no position.')
    const [x = 0, y = 0, z = 0] = axes.map((axis, at) => readCoordinate(written[at] ?? '~', self?.[axis] ?? 0))
    const target = { x, y, z, yaw: self?.yaw ?? 0, pitch: 0 }
    if (!isInBounds(target)) throw new AppError('unprocessable', 'bad-request', 'That position is outside the world.')
    const to = { ...target, ...(await context.world.findGround({ x, y, z })) }
    await getSpawn(context).set(caller.actor, to)
    return { ok: true, text: `The spawn is now at ${tell(to)}.`, data: { x: to.x, y: to.y, z: to.z } }
  },
}
