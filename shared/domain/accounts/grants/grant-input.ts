import { AppError } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/ids.ts'
import type { PermissionScope } from '../../permissions/account-grant.ts'

/** What somebody asks for: a group or one permission; everywhere, in a world or in a zone; `until` an instant. */
export type NewGrant = {
  readonly group?: string
  readonly permission?: string
  readonly world?: string
  readonly zone?: string
  readonly until?: string
  readonly reason?: string
}

/** `unprocessable` `rule-broken`, at that key of the body. */
export const grantFault = (pointer: string, message: string): AppError =>
  new AppError('unprocessable', 'rule-broken', 'This grant is not valid.', { errors: [{ pointer, message }] })

/** What of the worlds and zones that there are has to be known. */
type KnownPlaces = {
  readonly worlds: { findWorld(name: string): Promise<unknown> }
  readonly zones: { listZones(): Promise<readonly { readonly zone: { readonly id: string; readonly world: string } }[]> }
}

/** Throws AppError `unprocessable` unless world and zone exist, the zone in that world. */
export const refuseUnknownPlace = async ({ worlds, zones }: KnownPlaces, { world, zone }: PermissionScope): Promise<void> => {
  if (world !== undefined && (await worlds.findWorld(world)) === undefined)
    throw grantFault('/world', 'is not a world that exists')
  if (zone === undefined) return
  const found = isUuid(zone) ? (await zones.listZones()).find((listed) => listed.zone.id === zone)?.zone : undefined
  if (found === undefined) throw grantFault('/zone', 'is not a zone that exists')
  if (world !== undefined && found.world !== world) throw grantFault('/zone', `is a zone of the world ${found.world}`)
}
