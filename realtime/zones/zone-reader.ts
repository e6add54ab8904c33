import { setImmediate } from 'node:timers/promises'
import type { Store, StoredRecord, Version } from '../../shared/storage/store.ts'
import { type Zone, zoneGuards, zoneRecords } from '../../shared/zones/zone.ts'
import { changedSince, emptyGuard } from '../../shared/zones/zone-guard.ts'
import { gameZoneOf } from './game-zone.ts'
import type { ZoneIntake } from './game-zones.ts'

/**
 * Hands over the zones of a world that are other than they were when they were read last: all at first, then those that the world's guard
 * names. Never holds up a tick for long. One at a time; rejects with the store's AppError.
 */
export type ReadChangedZones = () => Promise<void>

export type ZoneReaderDeps = {
  readonly store: Pick<Store, 'get' | 'list'>
  readonly worldName: string
  readonly intake: ZoneIntake
}

/** Columns of all zones of one page, some 0.3 µs each to read; how large the first zones are is a guess. */
const columnsPerPage = 2048
const firstPage = 1
const pageMax = 32

const fitPage = (zones: readonly StoredRecord<Zone>[]): number => {
  const columns = zones.reduce((sum, { value }) => sum + value.chunks.length, 0)
  return Math.min(pageMax, Math.max(1, Math.floor((columnsPerPage * zones.length) / Math.max(1, columns))))
}

export const createZoneReader = ({ store, worldName, intake }: ZoneReaderDeps): ReadChangedZones => {
  const known = new Map<string, Version>()
  let seen: { readonly version: Version | null; readonly changes: number } | undefined

  const note = (id: string, record: StoredRecord<Zone> | undefined): void => {
    const own = record?.value.world === worldName ? record : undefined
    if (known.get(id) === own?.version) return
    if (own === undefined) known.delete(id)
    else known.set(id, own.version)
    intake.change(id, own === undefined ? undefined : gameZoneOf(own.value))
  }

  const readSome = async (ids: Iterable<string>): Promise<void> => {
    for (const id of ids) note(id, await store.get(zoneRecords, id))
  }

  const readAll = async (): Promise<void> => {
    const gone = new Set(known.keys())
    let limit = firstPage
    let cursor: string | undefined
    do {
      const page = await store.list(zoneRecords, cursor === undefined ? { limit } : { limit, cursor })
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
    // Before the zones: what changes meanwhile has another version, and is read next time.
    const record = await store.get(zoneGuards, worldName)
    const version = record?.version ?? null
    if (seen?.version === version) return
    const guard = record?.value ?? emptyGuard
    const changed = seen && changedSince(guard, seen.changes)
    await (changed === undefined ? readAll() : readSome(changed))
    seen = { version, changes: guard.changes }
    intake.complete()
  }
}
