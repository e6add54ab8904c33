import { AppError } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/ids.ts'
import type { PermissionScope } from '../../permissions/account-grant.ts'

/** A requested grant of a group or one permission, everywhere or in one world or zone; `until` is an instant. */
export type NewGrant = {
  readonly group?: string
  readonly permission?: string
  readonly world?: string
  readonly zone?: string
  readonly until?: string
  readonly reason?: string
}

/** `unprocessable` `rule-broken` with a pointer into the body. */
export const grantFault = (pointer: string, message: string): AppError =>
  new AppError('unprocessable', 'rule-broken', 'This grant is not valid.', { errors: [{ pointer, message }] })

/** Queries for existing worlds and zones. */
type KnownPlaces = {
  readonly worlds: { findWorld(name: string): Promise<unknown> }
  readonly zones: { listZones(): Promise<readonly { readonly zone: { readonly id: string; readonly world: string } }[]> }
}

/** Throws AppError `unprocessable` unless the world and the zone exist and the zone is in that world. */
export const refuseUnknownPlace = async ({ worlds, zones }: KnownPlaces, { world, zone }: PermissionScope): Promise<void> => {
  if (world !== undefined && (await worlds.findWorld(world)) === undefined)
    throw grantFault('/world', 'is not a world that exists')
  if (zone === undefined) return
  const found = isUuid(zone) ? (await zones.listZones()).find((listed) => listed.zone.id === zone)?.zone : undefined
  if (found === undefined) throw grantFault('/zone', 'is not a zone that exists')
  if (world !== undefined && found.world !== world) throw grantFault('/zone', `is a zone of the world ${found.world}`)
}
