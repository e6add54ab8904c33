import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { PermissionScope } from '../permissions/account-grant.ts'

/** Queries for existing worlds and zones. */
type KnownScopes = {
  readonly worlds: { findWorld(name: string): Promise<unknown> }
  readonly zones: { listZones(): Promise<readonly { readonly zone: { readonly id: string; readonly world: string } }[]> }
}

const scopeFault = (pointer: string, message: string): AppError =>
  new AppError('unprocessable', 'rule-broken', 'There is no such place.', { errors: [{ pointer, message }] })

/**
 * Throws AppError `unprocessable` `rule-broken` with a pointer into the body unless the world and the zone exist and the zone is in
 * that world.
 */
export const refuseUnknownScope = async ({ worlds, zones }: KnownScopes, { world, zone }: PermissionScope): Promise<void> => {
  if (world !== undefined && (await worlds.findWorld(world)) === undefined)
    throw scopeFault('/world', 'is not a world that exists')
  if (zone === undefined) return
  const found = isUuid(zone) ? (await zones.listZones()).find((listed) => listed.zone.id === zone)?.zone : undefined
  if (found === undefined) throw scopeFault('/zone', 'is not a zone that exists')
  if (world !== undefined && found.world !== world) throw scopeFault('/zone', `is a zone of the world ${found.world}`)
}
