import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { findNearName } from '../../kernel/find-near-name.ts'
import { chunkBlocks } from '../../rules/positions.ts'
import { isPrivileged } from '../permissions/decide-permission.ts'
import { gamePermissions } from '../permissions/game-permissions.ts'
import { type KnownCommand, knownCommands } from '../permissions/known-commands.ts'
import type { OnlinePlayer } from '../players/online-players.ts'
import { createLocalClocks } from '../zones/local-clocks.ts'
import type { Zone } from '../zones/zone.ts'
import { isZoneActive } from '../zones/zone-index.ts'
import type { ZoneService } from '../zones/zone-service.ts'
import type { KnownLocation } from './check-zone.ts'

export type Point = { readonly x: number; readonly y: number; readonly z: number }

/** The player in the online list of the nodes. Undefined if they are offline, or while Redis is unreachable. */
export const findOnlinePlayer = async (
  list: () => Promise<readonly OnlinePlayer[]>,
  playerId: string,
): Promise<OnlinePlayer | undefined> => {
  try {
    return (await list()).find((one) => one.playerId === playerId)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return undefined
    throw error
  }
}

/** A block of a world with the active zone that contains it, read from the store. */
export const findLocation = async (
  { zones, clock }: { readonly zones: Pick<ZoneService, 'listZones'>; readonly clock: Pick<Clock, 'now'> },
  world: string,
  point: Point,
): Promise<KnownLocation> => {
  const { x, y, z } = point
  const clocks = createLocalClocks()
  const [cx, cz] = [Math.floor(x / chunkBlocks), Math.floor(z / chunkBlocks)]
  const hasPoint = ({ yMin, yMax, chunks }: Zone): boolean =>
    yMin <= y && y <= yMax && chunks.some((chunk) => chunk.cx === cx && chunk.cz === cz)
  const listed = await zones.listZones(world).catch((error: unknown) => {
    // Nodes may list a world for some seconds after its deletion.
    if (error instanceof AppError && error.kind === 'not-found') return []
    throw error
  })
  const found = listed.find(({ zone }) => hasPoint(zone) && isZoneActive(zone, clock.now(), clocks))
  return { world, point, ...(found && { zone: found.zone }) }
}

/** The subject of an explanation: a command or a permission. */
export type Question = { readonly command?: KnownCommand; readonly permission: string; readonly privileged: boolean }

const permissionName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/
const slash = /^\//

const isMarked = (permission: string): boolean =>
  [...knownCommands, ...gamePermissions].some((one) => one.permission === permission && one.privileged)

/** The question for a command name, with or without the slash; undefined for an unknown one. */
export const findCommandQuestion = (written: string): Question | undefined => {
  const name = written.toLowerCase().replace(slash, '')
  const command = knownCommands.find((one) => one.name === name)
  return command && { command, permission: command.permission, privileged: command.privileged }
}

/** The closest command name to an unknown one. */
export const findNearCommand = (written: string): string | undefined =>
  findNearName(
    written.toLowerCase().replace(slash, ''),
    knownCommands.map(({ name }) => name),
  )

/** The question for a permission name, even an unused one; undefined if the text cannot be such a name. */
export const findPermissionQuestion = (written: string): Question | undefined => {
  const permission = written.toLowerCase()
  if (!permissionName.test(permission)) return undefined
  return { permission, privileged: isPrivileged(permission) || isMarked(permission) }
}
