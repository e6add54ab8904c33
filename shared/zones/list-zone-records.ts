import { setImmediate } from 'node:timers/promises'
import type { Store, StoredRecord } from '../storage/store.ts'
import { type FoundZone, foundZones } from './zone.ts'

/** A zone may be of 4,096 columns: more of them at a time would hold the thread for too long. */
const pageLimit = 50

/** The zones of all worlds, and records that are none, by id, a page at a time; others have their turn between two pages. */
export const listZoneRecords = async function* (store: Pick<Store, 'list'>): AsyncGenerator<StoredRecord<FoundZone>> {
  let cursor: string | undefined
  do {
    const page = await store.list(foundZones, { limit: pageLimit, ...(cursor === undefined ? {} : { cursor }) })
    yield* page.records
    cursor = page.nextCursor
    if (cursor !== undefined) await setImmediate()
  } while (cursor !== undefined)
}
