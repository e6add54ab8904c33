import type { Store } from '../../../shared/storage/store.ts'
import { type Zone, zoneRecords } from '../../../shared/zones/zone.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The zone that the address of a feed names, as the store has it now; undefined for no such zone. Throws AppError `unavailable`. */
export const findZone = async (store: Pick<Store, 'get'>, id: string): Promise<Zone | undefined> =>
  uuid.test(id) ? (await store.get(zoneRecords, id.toLowerCase()))?.value : undefined
