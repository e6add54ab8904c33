import { zonePermission } from '../../shared/domain/permissions/game-permissions.ts'
import { mayBuildIn, rulesOf } from '../../shared/domain/zones/active-zone.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { EditRefusal } from '../world/edits/find-edit-refusal.ts'
import type { GameZones } from '../zones/game-zones.ts'

export type EditGuardDeps<Actor> = {
  readonly zones: Pick<GameZones, 'isKnown' | 'zoneAt'>
  /** Whether the actor has the permission for that block now. */
  readonly holds: (actor: Actor, permission: string, at: BlockPos) => boolean
  /** Whether the actor has it by a grant for the zone of that block. */
  readonly holdsByGrant?: (actor: Actor, permission: string, at: BlockPos) => boolean
  readonly playerIdOf?: (actor: Actor) => string
}

/**
 * Returns why zones refuse an edit. `zones-unknown` until the zones are read; otherwise the missing permission and the name of the
 * first zone that refuses.
 */
export const createEditGuard =
  <Actor>({ zones, holds, holdsByGrant = () => false, playerIdOf = () => '' }: EditGuardDeps<Actor>) =>
  (actor: Actor, edits: readonly BlockPos[]): EditRefusal | undefined => {
    if (!zones.isKnown()) return { reason: 'zones-unknown' }
    for (const [index, { x, y, z }] of edits.entries()) {
      const zone = zones.zoneAt(x, y, z)
      if (zone === undefined) continue
      const at = { x, y, z }
      const { build } = rulesOf(zone)
      const may = mayBuildIn(zone, {
        playerId: build === 'members' ? playerIdOf(actor) : '',
        holds: build === 'permission' && holds(actor, zonePermission, at),
        holdsByGrant: build === 'members' && holdsByGrant(actor, zonePermission, at),
      })
      if (may) continue
      const why =
        build === 'permission'
          ? `missing-permission: ${zonePermission}`
          : `zone-rules: ${build === 'members' ? 'members build' : 'nobody builds'}`
      return { reason: `${why} in zone "${zone.name}"`, denied: { permission: zonePermission, at }, index }
    }
    return undefined
  }
