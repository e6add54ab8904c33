import type { Actor } from '../accounts/actor.ts'
import type { ClipPlanes, Zone, ZoneGuard } from './zone.ts'
import { parseZoneName } from './zone-name.ts'
import { checkHeights, sortChunks } from './zone-rules.ts'
import type { NewZone } from './zone-service.ts'

const clipPlane = { enabled: false, flipped: false, pos: 0 }
const clipPlanes: ClipPlanes = { x: clipPlane, y: clipPlane, z: clipPlane }

/** Clocks of several machines differ, and one millisecond may see many zones: up to this much a zone is called younger than it is. */
const orderWithinMs = 1000

/** A new zone in the form in which it is kept; throws AppError `invalid` or `unprocessable` for one that cannot be anywhere. */
export const checkNewZone = (input: NewZone): NewZone => {
  const zone = { ...input, name: parseZoneName(input.name), chunks: sortChunks(input.chunks) }
  // After what no zone's schema would admit: that is the greater fault.
  checkHeights(zone)
  return zone
}

/** The record of a zone that has been checked: enabled, cut open nowhere, with an empty palette, and younger than all zones of its world. */
export const newZoneOf = (
  { name, yMin, yMax, chunks }: NewZone,
  facts: {
    readonly id: string
    readonly world: string
    readonly nowMs: number
    readonly guard: ZoneGuard
    readonly owner: Actor['playerId']
  },
): Zone => {
  const { id, world, nowMs, guard, owner } = facts
  const aheadMs = guard.newestAt - nowMs
  const createdAtMs = aheadMs >= 0 && aheadMs < orderWithinMs ? guard.newestAt + 1 : nowMs
  const createdAt = new Date(createdAtMs).toISOString()
  const layout = { clipPlanes, shortcutBarPages: [] }
  return { id, name, world, yMin, yMax, chunks, enabled: true, ...layout, owner, createdAt, updatedAt: createdAt }
}
