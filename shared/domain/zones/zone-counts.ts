import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'
import type { Zone } from './zone.ts'

/** The number of changed zones in the counts. */
const recentMax = 64

/**
 * One record for each world, by its name, written with every change of a zone of that world. Its version shows whether anything
 * changed. So two writers cannot each miss the other's zone.
 */
export const ZoneCounts = ClosedObject({
  zones: Type.Integer({ minimum: 0 }),
  /** Counts the changes. */
  changes: Type.Integer({ minimum: 0 }),
  /** Ids of the zones changed last, latest last. A reader with the earlier state reads only these. */
  recent: Type.Array(Type.String(), { maxItems: recentMax }),
  /** The creation time of the newest zone, in milliseconds since the epoch. */
  newestAt: Type.Integer(),
})
export type ZoneCounts = Static<typeof ZoneCounts>
export const zoneCounts = createCollection('zone-guards', ZoneCounts)

/** The counts of a world that never had a zone. */
export const noCounts: ZoneCounts = { zones: 0, changes: 0, recent: [], newestAt: 0 }

/** The counts after a change of a zone. `before` is undefined for a creation, `after` for a deletion. */
export const countChange = (
  counts: ZoneCounts,
  { before, after }: { readonly before: Pick<Zone, 'id'> | undefined; readonly after: Zone | undefined },
): ZoneCounts => {
  const added = before === undefined && after !== undefined
  const id = (after ?? before)?.id ?? ''
  return {
    zones: Math.max(0, counts.zones + Number(after !== undefined) - Number(before !== undefined)),
    changes: counts.changes + 1,
    recent: [...counts.recent, id].slice(-recentMax),
    newestAt: added ? Math.max(counts.newestAt, Date.parse(after.createdAt)) : counts.newestAt,
  }
}

/** The ids of the zones that changed since the count was `changes`. Undefined if that is too long ago, or from other data. */
export const listChangedZones = (counts: ZoneCounts, changes: number): ReadonlySet<string> | undefined => {
  const count = counts.changes - changes
  return count > 0 && count <= counts.recent.length ? new Set(counts.recent.slice(-count)) : undefined
}
