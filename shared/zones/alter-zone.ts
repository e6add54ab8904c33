import { isDeepStrictEqual } from 'node:util'
import type { Configs } from '../configs/in-force/configs.ts'
import type { Zone } from './zone.ts'
import { parseZoneName } from './zone-name.ts'
import { checkHeights, checkPages, sortChunks } from './zone-rules.ts'
import type { ZoneChange } from './zone-service.ts'

/** A change in the form in which it is kept; throws AppError `invalid` or `unprocessable` for one that no zone could take. */
export const checkChange = (change: ZoneChange, configs: Pick<Configs, 'get'>): ZoneChange => {
  if ('name' in change) return { name: parseZoneName(change.name) }
  if ('chunks' in change) return { chunks: sortChunks(change.chunks) }
  if ('yMin' in change) checkHeights(change)
  if ('shortcutBarPages' in change) checkPages(change.shortcutBarPages, configs.get('blocks.yaml'))
  return change
}

/** Whether a change can bring a zone onto another. */
export const movesZone = (change: ZoneChange): boolean => 'chunks' in change || 'yMin' in change

/** The zone as the change leaves it: the same object when nothing is other than it was. */
export const applyChange = (zone: Zone, change: ZoneChange, nowMs: number): Zone => {
  const changed = { ...zone, ...change }
  if (isDeepStrictEqual(changed, zone)) return zone
  // A clock that was set back does not let a change come before what it changes.
  return { ...changed, updatedAt: new Date(Math.max(nowMs, Date.parse(zone.createdAt))).toISOString() }
}

/** Both sides of a change for the audit log, without the columns where those stayed: a zone may have thousands. */
export const changedSides = (before: Zone, after: Zone): { readonly before: object; readonly after: object } => {
  if (before.chunks !== after.chunks) return { before, after }
  const { chunks: _before, ...one } = before
  const { chunks: _after, ...other } = after
  return { before: one, after: other }
}
