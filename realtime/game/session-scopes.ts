import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { Session } from '../sessions/session.ts'
import type { GameZones } from '../zones/game-zones.ts'

/** Scopes of grants of a world or a zone, with the active zones of now. */
export type SessionScopes = { scopeAt(at: BlockPos): PermissionScope; scopeOf(session: Pick<Session, 'body'>): PermissionScope }

export const createSessionScopes = (zones: Pick<GameZones, 'zoneAt'>, world: string): SessionScopes => {
  const scopeAt = ({ x, y, z }: BlockPos): PermissionScope => {
    const zone = zones.zoneAt(x, y, z)
    return { world, ...(zone !== undefined && { zone: zone.id }) }
  }
  return { scopeAt, scopeOf: ({ body: { x, y, z } }) => scopeAt({ x: Math.floor(x), y: Math.floor(y), z: Math.floor(z) }) }
}
