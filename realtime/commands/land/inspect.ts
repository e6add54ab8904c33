import { AppError } from '../../../shared/kernel/errors.ts'
import { zoneHistoryPermission } from '../../../shared/permissions/game-permissions.ts'
import type { Argument, ArgumentValues, Command, CommandCaller, CommandContext } from '../command.ts'
import { readCoordinate } from '../executor/bind-arguments.ts'
import { findText } from '../executor/read-arguments.ts'
import type { LandControl } from './land-control.ts'
import { findOwnZone } from './own-zone.ts'

const axes = ['x', 'y', 'z'] as const
const linesShown = 10

/** Throws `unavailable` where no world runs, as on the command line. */
export const getLand = ({ land }: CommandContext): LandControl => {
  if (land !== undefined) return land
  throw new AppError('conflict', 'conflict', 'That needs a world that runs: use it in the game.')
}

/** Where the caller stands; undefined for the console. */
export const findSelf = ({ live }: CommandContext, { playerId }: CommandCaller) =>
  live?.listPlayers().find((player) => player.playerId === playerId)?.position

/** The block at the coordinates that were written, else the one on which the caller stands. */
const findBlock = (context: CommandContext, caller: CommandCaller, args: ArgumentValues) => {
  const self = findSelf(context, caller)
  const written = axes.map((axis) => findText(args, axis))
  if (self === undefined && (written.includes(undefined) || written.some((text) => text?.startsWith('~'))))
    throw new AppError('invalid', 'bad-request', 'Name the block by x y z: you stand nowhere.')
  const [x = 0, y = 0, z = 0] = axes.map((axis, at) => {
    const text = written[at]
    if (text !== undefined) return Math.floor(readCoordinate(text, Math.floor(self?.[axis] ?? 0)))
    return Math.floor((self?.[axis] ?? 0) - (axis === 'y' ? 0.01 : 0))
  })
  return { x, y, z }
}

/** `/inspect`: who changed a block, from what to what, newest first. */
export const inspect: Command = {
  name: 'inspect',
  description: 'Says who changed a block: the one you stand on, or the one at x y z (~ is where you are).',
  forms: [[], axes.map((name): Argument => ({ name, kind: 'coordinate' }))],
  permission: 'command.inspect',
  inOwnZones: zoneHistoryPermission,
  privileged: false,
  run: async (context, caller, args) => {
    const { x, y, z } = findBlock(context, caller, args)
    const { refusal } = await findOwnZone(context, caller, { command: inspect, at: { x, y, z } })
    if (refusal !== undefined) return refusal
    const box = { minX: x, maxX: x, minY: y, maxY: y, minZ: z, maxZ: z }
    const changes = await getLand(context).listChanges({ box }, linesShown)
    const ids = [...new Set(changes.map(({ by }) => by))]
    const accounts = await Promise.all(ids.map((id) => context.accountStore.findByPlayerId(id)))
    const nameOf = (by: string): string => accounts[ids.indexOf(by)]?.displayName ?? by
    const lines = changes.map(
      ({ at, by, via, from, to }) =>
        `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}  ${nameOf(by)}: ${from} to ${to} (${via})`,
    )
    const head = `${x} ${y} ${z}`
    const text =
      lines.length === 0 ? `Nobody has changed ${head}, as far as is known.` : [`${head}, newest first:`, ...lines].join('\n')
    const told = changes.map(({ at, ...change }) => ({ at: new Date(at).toISOString(), ...change }))
    return { ok: true, text, data: { x, y, z, changes: told } }
  },
}
