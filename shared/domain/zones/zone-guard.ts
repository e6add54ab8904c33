import type { Zone, ZoneGuard } from './zone.ts'
import { recentMax } from './zone.ts'

/** The guard of a world that never had a zone. */
export const emptyGuard: ZoneGuard = { zones: 0, changes: 0, recent: [], newestAt: 0 }

/** The guard after a change of a zone. `before` is undefined for a creation, `after` for a deletion. */
export const nextGuard = (
  guard: ZoneGuard,
  { before, after }: { readonly before: Pick<Zone, 'id'> | undefined; readonly after: Zone | undefined },
): ZoneGuard => {
  const added = before === undefined && after !== undefined
  const id = (after ?? before)?.id ?? ''
  return {
    zones: Math.max(0, guard.zones + Number(after !== undefined) - Number(before !== undefined)),
    changes: guard.changes + 1,
    recent: [...guard.recent, id].slice(-recentMax),
    newestAt: added ? Math.max(guard.newestAt, Date.parse(after.createdAt)) : guard.newestAt,
  }
}

/** The ids of the zones that changed since the count was `changes`. Undefined if that is too long ago, or from other data. */
export const changedSince = (guard: ZoneGuard, changes: number): ReadonlySet<string> | undefined => {
  const count = guard.changes - changes
  return count > 0 && count <= guard.recent.length ? new Set(guard.recent.slice(-count)) : undefined
}
