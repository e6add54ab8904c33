import { setImmediate } from 'node:timers/promises'
import { mayHideZoneOf, zoneUnreadable } from '../../shared/domain/zones/list-zones.ts'
import { type FoundZone, foundZones } from '../../shared/domain/zones/zone.ts'
import { listChangedZones, noCounts, zoneCounts } from '../../shared/domain/zones/zone-counts.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Store, StoredRecord, Version } from '../../shared/platform/storage/store.ts'
import { gameZoneOf } from './game-zone.ts'
import type { ZoneIntake } from './game-zones.ts'

/**
 * Passes on all zones of a world at the first call, then only the changed ones, which the counts of the world name. It does not block
 * ticks for long. Run one at a time. Rejects with the AppError of the store. A zone that cannot be read keeps its
 * last state; in the first read it makes the call reject, because its bounds are unknown.
 */
export type ReadChangedZones = () => Promise<void>

export type ZoneReaderDeps = {
  readonly store: Pick<Store, 'get' | 'list'>
  readonly worldName: string
  readonly intake: ZoneIntake
  readonly log: Pick<Log, 'error'>
}

/** The number of columns in one page of zones, at about 0.3 µs each. The size of the first zones is a guess. */
const columnsPerPage = 2048
const firstPage = 1
const pageMax = 32

const fitPage = (zones: readonly StoredRecord<FoundZone>[]): number => {
  const columns = zones.reduce((sum, { value }) => sum + (value.zone?.chunks.length ?? 0), 0)
  return Math.min(pageMax, Math.max(1, Math.floor((columnsPerPage * zones.length) / Math.max(1, columns))))
}

export const createZoneReader = ({ store, worldName, intake, log }: ZoneReaderDeps): ReadChangedZones => {
  const known = new Map<string, Version>()
  let seen: { readonly version: Version | null; readonly changes: number } | undefined

  const note = (id: string, record: StoredRecord<FoundZone> | undefined): void => {
    if (record !== undefined && mayHideZoneOf(worldName, record.value)) {
      if (seen === undefined) throw zoneUnreadable(id)
      log.error({ zoneId: id }, 'a stored zone cannot be read; its last known state stays active')
      return
    }
    const zone = record?.value.zone?.world === worldName ? record.value.zone : undefined
    const version = zone && record?.version
    if (known.get(id) === version) return
    if (version === undefined) known.delete(id)
    else known.set(id, version)
    intake.change(id, zone && gameZoneOf(zone))
  }

  const readSome = async (ids: Iterable<string>): Promise<void> => {
    for (const id of ids) note(id, await store.get(foundZones, id))
  }

  const readAll = async (): Promise<void> => {
    const gone = new Set(known.keys())
    let limit = firstPage
    let cursor: string | undefined
    do {
      const page = await store.list(foundZones, cursor === undefined ? { limit } : { limit, cursor })
      for (const record of page.records) {
        gone.delete(record.id)
        note(record.id, record)
      }
      if (page.records.length > 0) limit = fitPage(page.records)
      cursor = page.nextCursor
      await setImmediate()
    } while (cursor !== undefined)
    for (const id of gone) note(id, undefined)
  }

  return async () => {
    // Read the counts before the zones: later changes then have another version and are read next time.
    const record = await store.get(zoneCounts, worldName)
    const version = record?.version ?? null
    if (seen?.version === version) return
    const counts = record?.value ?? noCounts
    const changed = seen && listChangedZones(counts, seen.changes)
    await (changed === undefined ? readAll() : readSome(changed))
    seen = { version, changes: counts.changes }
    intake.complete()
  }
}
