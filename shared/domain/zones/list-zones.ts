import { setImmediate } from 'node:timers/promises'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Store, StoredRecord } from '../../platform/storage/store.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { type FoundZone, foundZones, Zone } from './zone.ts'
import type { ListedZone, ZoneService, ZoneServiceDeps } from './zone-service.ts'
import { createFindWarning } from './zone-warnings.ts'

/** A zone may have 4,096 columns, so a larger page would hold the thread for too long. */
const pageLimit = 20

/** The zones of all worlds by id, including unreadable records. Yields to other work between pages. */
export const listZoneRecords = async function* (store: Pick<Store, 'list'>): AsyncGenerator<StoredRecord<FoundZone>> {
  let cursor: string | undefined
  do {
    const page = await store.list(foundZones, { limit: pageLimit, ...(cursor === undefined ? {} : { cursor }) })
    yield* page.records
    cursor = page.nextCursor
    if (cursor !== undefined) await setImmediate()
  } while (cursor !== undefined)
}

/** The number of columns to check before other work gets its turn. Each zone adds a fixed amount. */
const columnsPerTurn = 8192
const columnsForZone = 100

const collectZones = async (
  { store, log }: Pick<ZoneServiceDeps, 'store' | 'log'>,
  world: string | undefined,
): Promise<Zone[]> => {
  const zones: Zone[] = []
  for await (const { id, value } of listZoneRecords(store)) {
    if (value.zone === undefined) log.error({ zoneId: id, world: value.world }, 'a stored zone cannot be read and is not listed')
    else if (world === undefined || value.zone.world === world) zones.push(value.zone)
  }
  return zones.sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
}

export const createListing =
  (deps: Pick<ZoneServiceDeps, 'store' | 'chunks' | 'worlds' | 'log'>): ZoneService['listZones'] =>
  async (world) => {
    if (world !== undefined) await deps.worlds.getWorld(world)
    const findWarning = createFindWarning(deps)
    const listed: ListedZone[] = []
    let columns = 0
    for (const zone of await collectZones(deps, world)) {
      const warning = await findWarning(zone)
      listed.push(warning === undefined ? { zone } : { zone, warning })
      columns += columnsForZone + zone.chunks.length
      if (columns < columnsPerTurn) continue
      columns = 0
      await setImmediate()
    }
    return listed
  }

/** Whether an unreadable record may be a zone of that world. */
export const mayHideZoneOf = (world: string, found: FoundZone): boolean =>
  found.zone === undefined && (found.world ?? world) === world

/** The refusal of a change that needs the unreadable zone. */
export const zoneUnreadable = (id: string): AppError =>
  new AppError(
    'unavailable',
    'service-unavailable',
    `The stored zone ${id} cannot be read, so its chunks are unknown. Delete it, or restore it from a backup.`,
  )

/** A zone as shown to clients, with a mark if its owner was deleted. The mark is not stored. */
export const MarkedZone = ClosedObject({
  ...Zone.properties,
  ownerGone: Type.Optional(Type.Literal(true, { description: 'The owner’s account was deleted. Assign a new owner.' })),
})
export type MarkedZone = Static<typeof MarkedZone>

/** Adds the mark. Costs one look-up of an account. */
export const markZone = async (accountStore: Pick<AccountStore, 'findByPlayerId'>, zone: Zone): Promise<MarkedZone> =>
  (await accountStore.findByPlayerId(zone.owner)) === undefined ? { ...zone, ownerGone: true } : zone

/** Marks many zones, looking up each owner once. */
export const createMarker = (accountStore: Pick<AccountStore, 'findByPlayerId'>): ((zone: Zone) => Promise<MarkedZone>) => {
  const owners = new Map<string, ReturnType<AccountStore['findByPlayerId']>>()
  const findByPlayerId = (playerId: string) => {
    const owner = owners.get(playerId) ?? accountStore.findByPlayerId(playerId)
    owners.set(playerId, owner)
    return owner
  }
  return (zone) => markZone({ findByPlayerId }, zone)
}
