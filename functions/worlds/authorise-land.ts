import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { zoneHistoryPermission } from '../../shared/domain/permissions/game-permissions.ts'
import { isOfZone } from '../../shared/domain/zones/zone-index.ts'
import type { ZoneService } from '../../shared/domain/zones/zone-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { authorise } from '../http/request/authenticate.ts'
import type { RequestFacts } from '../http/route.ts'

/** Whether the caller owns the zone. A caller without access must not learn which ids exist. */
const isOwn = async (zones: Pick<ZoneService, 'getZone'>, id: string, playerId: string): Promise<boolean> => {
  try {
    return isOfZone((await zones.getZone(id)).zone, playerId)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return false
    throw error
  }
}

type LandPlace = { readonly world: string; readonly zone: string | undefined }

/**
 * Throws `forbidden` unless the caller has `permission` at this place, or owns or is a member of the zone with `zone.history`.
 */
export const authoriseLand = async (
  zones: Pick<ZoneService, 'getZone'>,
  actor: Actor,
  { request, permission, ...place }: { readonly request: RequestFacts; readonly permission: `admin.${string}` } & LandPlace,
): Promise<void> => {
  const { verified, playerId } = actor
  const { world, zone } = place
  const rules = request.rulesAt({ world, ...(zone !== undefined && { zone }) })
  const holds = zone !== undefined && decidePermission(rules, zoneHistoryPermission, { verified, privileged: false }).allowed
  if (!holds || !(await isOwn(zones, zone, playerId))) authorise({ ...actor, rules }, permission)
}
