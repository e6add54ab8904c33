import { setImmediate } from 'node:timers/promises'
import { listZoneRecords } from './list-zone-records.ts'
import type { Zone } from './zone.ts'
import type { ListedZone, ZoneService } from './zone-service.ts'
import type { ZoneServiceDeps } from './zone-service-deps.ts'
import { createFindWarning } from './zone-warnings.ts'

/** How many zones are looked at before others have their turn. */
const zonesPerTurn = 50

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

/** `ZoneService.listZones`. */
export const createListing =
  (deps: Pick<ZoneServiceDeps, 'store' | 'chunks' | 'worlds' | 'log'>): ZoneService['listZones'] =>
  async (world) => {
    if (world !== undefined) await deps.worlds.getWorld(world)
    const findWarning = createFindWarning(deps)
    const listed: ListedZone[] = []
    for (const [at, zone] of (await collectZones(deps, world)).entries()) {
      const warning = await findWarning(zone)
      listed.push(warning === undefined ? { zone } : { zone, warning })
      if (at % zonesPerTurn === zonesPerTurn - 1) await setImmediate()
    }
    return listed
  }
