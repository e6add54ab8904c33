import { createKeyedQueue } from '../../kernel/queue.ts'
import type { Store, Version } from '../../platform/storage/store.ts'
import { listZoneRecords, mayHideZoneOf, zoneUnreadable } from './list-zones.ts'
import { foundZones, type Zone } from './zone.ts'
import { listChangedZones, noCounts, type ZoneCounts, zoneCounts } from './zone-counts.ts'
import { createZoneIndex, type ZoneIndex } from './zone-index.ts'

/** The zones of a world at `version` of its counts (null: no zone yet), or later. In the latter case a commit on that version fails. */
export type WorldZones = {
  readonly version: Version | null
  readonly counts: ZoneCounts
  /** Changes with later reads, so use it before the next `await`. */
  readonly index: ZoneIndex<Zone>
}

/**
 * Reads the current zones of a world. The first call reads all zones. Later calls read one record if nothing changed, otherwise also
 * the changed zones.
 */
export type ReadWorldZones = (world: string) => Promise<WorldZones>

const loadAll = async (store: Store, world: string): Promise<ZoneIndex<Zone>> => {
  const index = createZoneIndex<Zone>()
  for await (const { id, value } of listZoneRecords(store)) {
    if (mayHideZoneOf(world, value)) throw zoneUnreadable(id)
    if (value.zone?.world === world) index.put(value.zone)
  }
  return index
}

const loadChanged = async (store: Store, index: ZoneIndex<Zone>, ids: ReadonlySet<string>): Promise<ZoneIndex<Zone>> => {
  for (const id of ids) {
    const stored = (await store.get(foundZones, id))?.value
    if (stored === undefined) index.remove(id)
    else if (stored.zone === undefined) throw zoneUnreadable(id)
    else index.put(stored.zone)
  }
  return index
}

/** Reads zones from a Store. Keeps an index of each requested world, with the version of its counts. */
export const createWorldZones = (store: Store): ReadWorldZones => {
  const cached = new Map<string, WorldZones>()
  const inTurn = createKeyedQueue()

  const refresh = async (world: string): Promise<WorldZones> => {
    // Read before the zones: a change in the meantime has another version, and is read next time.
    const record = await store.get(zoneCounts, world)
    const version = record?.version ?? null
    const counts = record?.value ?? noCounts
    const before = cached.get(world)
    if (before !== undefined && before.version === version) return before
    const changed = before && listChangedZones(counts, before.counts.changes)
    cached.delete(world)
    const index = await (before && changed ? loadChanged(store, before.index, changed) : loadAll(store, world))
    const zones = { version, counts, index }
    cached.set(world, zones)
    return zones
  }

  return (world) => inTurn(world, () => refresh(world))
}
