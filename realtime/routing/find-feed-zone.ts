import { type Zone, zoneRecords } from '../../shared/domain/zones/zone.ts'
import { isUuid } from '../../shared/kernel/ids.ts'
import type { Store } from '../../shared/platform/storage/store.ts'

/** The stored zone with that id, or undefined. Throws AppError `unavailable`. */
export const findZone = async (store: Pick<Store, 'get'>, id: string): Promise<Zone | undefined> =>
  isUuid(id) ? (await store.get(zoneRecords, id.toLowerCase()))?.value : undefined
