import { zonePermission } from '../../shared/permissions/game-permissions.ts'
import type { BlockPos } from '../../shared/worlds/space/positions.ts'
import type { GameZones } from './game-zones.ts'

export type EditGuardDeps<Actor> = {
  readonly zones: Pick<GameZones, 'isKnown' | 'zoneAt'>
  /** Whether the actor holds the permission at this moment, for that block. */
  readonly holds: (actor: Actor, permission: string, at: BlockPos) => boolean
}

/**
 * Answers why zones refuse an edit: `zones-unknown` as long as nobody knows where zones are, else the missing permission and the name of
 * the first zone that it touches and that lacks it.
 */
export const createEditGuard =
  <Actor>({ zones, holds }: EditGuardDeps<Actor>) =>
  (actor: Actor, edits: readonly BlockPos[]): string | undefined => {
    if (!zones.isKnown()) return 'zones-unknown'
    for (const { x, y, z } of edits) {
      const zone = zones.zoneAt(x, y, z)
      if (zone === undefined) continue
      if (!holds(actor, zonePermission, { x, y, z })) return `missing-permission: ${zonePermission} in zone "${zone.name}"`
    }
    return undefined
  }
