import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import { createKeyedQueue, type KeyedQueue } from '../../kernel/queue.ts'
import type { StoredRecord } from '../../platform/storage/store.ts'
import type { WorldRecord } from '../worlds/world.ts'
import { createListing } from './list-zones.ts'
import { createWorldZones, type ReadWorldZones } from './world-zones.ts'
import { foundZones, type Zone, type ZoneChunks, zoneRecords } from './zone.ts'
import {
  applyChange,
  checkChange,
  checkNewZone,
  commitStep,
  movesZone,
  newZoneOf,
  removeUnreadableZone,
  repeatOnConflict,
} from './zone-changes.ts'
import { checkGenerated, zoneMissing, zoneOverlap } from './zone-checks.ts'
import type { ZoneService, ZoneServiceDeps } from './zone-service.ts'
import { createFindWarning } from './zone-warnings.ts'

type Context = ZoneServiceDeps & {
  readonly readZones: ReadWorldZones
  /** Writers of one process wait for each other, which costs less than conflicts. */
  readonly inTurn: KeyedQueue
}

const getRecord = async ({ store }: Context, id: string, ifMatch?: string): Promise<StoredRecord<Zone>> => {
  const record = isUuid(id) ? await store.get(zoneRecords, id.toLowerCase()) : undefined
  if (record === undefined) throw zoneMissing()
  if (ifMatch !== undefined && ifMatch !== record.version)
    throw new AppError('stale', 'stale', 'The zone was changed since you read it. Read it again and repeat your change.')
  return record
}

const findUnreadable = async ({ store }: Context, id: string) => {
  const record = isUuid(id) ? await store.get(foundZones, id.toLowerCase()) : undefined
  return record?.value.zone === undefined && record !== undefined ? { ...record, value: record.value } : undefined
}

const findNewWorld = async ({ worlds }: Context, name: string | undefined): Promise<WorldRecord> => {
  try {
    return await worlds.getWorld(name)
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'not-found')) throw error
    const errors = [{ pointer: '/world', message: 'is not the name of a world' }]
    throw new AppError('unprocessable', 'rule-broken', 'There is no world with that name.', { errors })
  }
}

const refuseUngenerated = async ({ chunks }: Context, world: WorldRecord, columns: ZoneChunks): Promise<void> =>
  checkGenerated(columns, await chunks.hasMany(world, columns))

const publish = async ({ events }: Context, { world, id }: Zone): Promise<void> =>
  events.publish('zones-changed', { world, zoneId: id })

const createCreation =
  (context: Context): ZoneService['createZone'] =>
  async (actor, asked) => {
    const { clock, ids, inTurn, readZones } = context
    const input = checkNewZone(asked)
    const world = await findNewWorld(context, input.world)
    await refuseUngenerated(context, world, asked.chunks)
    const id = ids.uuid()
    const attempt = async () => {
      const zones = await readZones(world.name)
      const other = zones.index.findOverlap(input)
      if (other !== undefined) throw zoneOverlap(other)
      const facts = { id, world: world.name, nowMs: clock.now(), counts: zones.counts, owner: actor.playerId }
      const zone = newZoneOf(input, facts)
      return { zone, version: await commitStep(context, { actor, zones, step: { before: undefined, after: zone } }) }
    }
    const created = await inTurn(world.name, () => repeatOnConflict(attempt))
    await publish(context, created.zone)
    return created
  }

const createRestoration =
  (context: Context): ZoneService['restoreZone'] =>
  async (actor, zone) => {
    const { inTurn, readZones } = context
    await refuseUngenerated(context, await findNewWorld(context, zone.world), zone.chunks)
    const attempt = async () => {
      const zones = await readZones(zone.world)
      if ((await context.store.get(foundZones, zone.id)) !== undefined)
        throw new AppError('conflict', 'already-exists', 'The zone already exists.')
      const other = zones.index.findOverlap(zone)
      if (other !== undefined) throw zoneOverlap(other)
      return { zone, version: await commitStep(context, { actor, zones, step: { before: undefined, after: zone } }) }
    }
    const restored = await inTurn(zone.world, () => repeatOnConflict(attempt))
    await publish(context, zone)
    return restored
  }

const createChanging =
  (context: Context): ZoneService['changeZone'] =>
  async (actor, id, asked, ifMatch) => {
    const { clock, configs, inTurn, readZones, worlds } = context
    const { world } = (await getRecord(context, id, ifMatch)).value
    const change = checkChange(asked, { configs, nowMs: clock.now() })
    if ('chunks' in asked) await refuseUngenerated(context, await worlds.getWorld(world), asked.chunks)
    const attempt = async () => {
      // Read before the zone, so that the version of the counts covers it.
      const zones = await readZones(world)
      const before = await getRecord(context, id, ifMatch)
      const after = applyChange(before.value, change, clock.now())
      if (after === before.value) return { zone: after, version: before.version, isSame: true }
      const other = movesZone(change) ? zones.index.findOverlap(after, after.id) : undefined
      if (other !== undefined) throw zoneOverlap(other)
      return { zone: after, version: await commitStep(context, { actor, zones, step: { before, after } }), isSame: false }
    }
    const { isSame, ...changed } = await inTurn(world, () => repeatOnConflict(attempt))
    if (!isSame) await publish(context, changed.zone)
    return changed
  }

const createRemoval =
  (context: Context): ZoneService['removeZone'] =>
  async (actor, id, ifMatch) => {
    const { inTurn, readZones } = context
    const unreadable = await findUnreadable(context, id)
    if (unreadable !== undefined) {
      await removeUnreadableZone(context, actor, { ...unreadable, ifMatch })
      return
    }
    const { world } = (await getRecord(context, id, ifMatch)).value
    const attempt = async () => {
      const zones = await readZones(world)
      const before = await getRecord(context, id, ifMatch)
      await commitStep(context, { actor, zones, step: { before, after: undefined } })
      return before.value
    }
    await publish(context, await inTurn(world, () => repeatOnConflict(attempt)))
  }

/**
 * Zones in a Store. Each change is one commit with the counts of its world and its audit entry (docs/decisions/0020-zones.md). Keeps an
 * index of the zones of each world that it has changed. The version of the counts shows whether the index is current.
 */
export const createZoneService = (deps: ZoneServiceDeps): ZoneService => {
  const context = { ...deps, readZones: createWorldZones(deps.store), inTurn: createKeyedQueue() }
  return {
    listZones: createListing(deps),
    getZone: async (id) => {
      const { value, version } = await getRecord(context, id)
      return { zone: value, version }
    },
    describeZone: async (id) => {
      const { value, version } = await getRecord(context, id)
      const warning = await createFindWarning(deps)(value)
      return warning === undefined ? { zone: value, version } : { zone: value, version, warning }
    },
    createZone: createCreation(context),
    changeZone: createChanging(context),
    restoreZone: createRestoration(context),
    removeZone: createRemoval(context),
  }
}
