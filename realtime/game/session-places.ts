import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { Session } from '../sessions/session.ts'
import type { GameZones } from '../zones/game-zones.ts'

/** Places for grants of a world or a zone, with the active zones of now. */
export type SessionPlaces = { placeAt(at: BlockPos): PermissionScope; placeOf(session: Pick<Session, 'body'>): PermissionScope }

export const createSessionPlaces = (zones: Pick<GameZones, 'zoneAt'>, world: string): SessionPlaces => {
  const placeAt = ({ x, y, z }: BlockPos): PermissionScope => {
    const zone = zones.zoneAt(x, y, z)
    return { world, ...(zone !== undefined && { zone: zone.id }) }
  }
  return { placeAt, placeOf: ({ body: { x, y, z } }) => placeAt({ x: Math.floor(x), y: Math.floor(y), z: Math.floor(z) }) }
}
