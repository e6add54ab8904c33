import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../kernel/errors.ts'
import { putWrite, type StoredRecord, type Version, type Write } from '../../platform/storage/store.ts'
import type { Actor } from '../accounts/actor.ts'
import { type AuditActor, createAuditEntry } from '../audit/audit-entry.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import type { WorldZones } from './world-zones.ts'
import { type ClipPlanes, type FoundZone, foundZones, parseZoneName, type Zone, zoneRecords } from './zone.ts'
import { checkHeights, checkMembers, checkPages, checkRules, checkSchedule, sortChunks } from './zone-checks.ts'
import { countChange, noCounts, type ZoneCounts, zoneCounts } from './zone-counts.ts'
import type { BlockConfigs, NewZone, ZoneChange, ZoneServiceDeps } from './zone-service.ts'

type ChangeFacts = { readonly configs: BlockConfigs; readonly nowMs: number }

/** Normalizes a change. Throws AppError `invalid` or `unprocessable` if no zone could have it. */
export const checkChange = (change: ZoneChange, { configs, nowMs }: ChangeFacts): ZoneChange => {
  if ('name' in change && change.name !== undefined) return { ...change, name: parseZoneName(change.name) }
  if ('rules' in change) return { rules: checkRules(change.rules) }
  if ('members' in change) return { members: checkMembers(change.members) }
  if ('schedule' in change) return { schedule: checkSchedule(change.schedule, nowMs) }
  if ('chunks' in change) return { chunks: sortChunks(change.chunks) }
  if ('yMin' in change) checkHeights(change)
  if ('shortcutBarPages' in change) checkPages(change.shortcutBarPages, configs.get('blocks.yaml'))
  return change
}

/** Whether a change can make a zone overlap another one. */
export const movesZone = (change: ZoneChange): boolean => 'chunks' in change || 'yMin' in change

const changedBy = (zone: Zone, change: ZoneChange): Zone => {
  if ('members' in change) return { ...zone, members: [...change.members] }
  if (!('schedule' in change)) return { ...zone, ...change }
  const { opensAt: _1, closesAt: _2, expiresAt: _3, hours: _4, timeZone: _5, reset: _6, ...lasting } = zone
  return { ...lasting, ...change.schedule }
}

/** Applies the change. Returns the same object if nothing changes. */
export const applyChange = (zone: Zone, change: ZoneChange, nowMs: number): Zone => {
  const changed = changedBy(zone, change)
  if (isDeepStrictEqual(changed, zone)) return zone
  // If the clock was set back, a change must not be older than the zone.
  return { ...changed, updatedAt: new Date(Math.max(nowMs, Date.parse(zone.createdAt))).toISOString() }
}

/** Both sides of a change for the audit log. Leaves out unchanged columns, because a zone may have thousands. */
const changedSides = (before: Zone, after: Zone): { readonly before: object; readonly after: object } => {
  if (before.chunks !== after.chunks) return { before, after }
  const { chunks: _before, ...one } = before
  const { chunks: _after, ...other } = after
  return { before: one, after: other }
}

const clipPlane = { enabled: false, flipped: false, pos: 0 }
const clipPlanes: ClipPlanes = { x: clipPlane, y: clipPlane, z: clipPlane }

/**
 * The maximum time by which a new zone is postdated, so that zones sort by creation. Clocks differ, and one millisecond may see many
 * zones.
 */
const orderWithinMs = 1000

/** Normalizes a new zone. Throws AppError `invalid` or `unprocessable` if it is not valid. */
export const checkNewZone = (input: NewZone): NewZone => {
  const zone = { ...input, name: parseZoneName(input.name), chunks: sortChunks(input.chunks) }
  // Checked last, because a fault that the schema finds is worse.
  checkHeights(zone)
  return zone
}

/**
 * The record of a new, checked zone. It is enabled, has no clip planes and an empty palette, and is younger than all zones of its
 * world.
 */
export const newZoneOf = (
  { name, yMin, yMax, chunks }: NewZone,
  facts: {
    readonly id: string
    readonly world: string
    readonly nowMs: number
    readonly counts: ZoneCounts
    readonly owner: Actor['playerId']
  },
): Zone => {
  const { id, world, nowMs, counts, owner } = facts
  const aheadMs = counts.newestAt - nowMs
  const createdAtMs = aheadMs >= 0 && aheadMs < orderWithinMs ? counts.newestAt + 1 : nowMs
  const createdAt = new Date(createdAtMs).toISOString()
  const layout = { clipPlanes, shortcutBarPages: [] }
  return { id, name, world, yMin, yMax, chunks, enabled: true, ...layout, owner, createdAt, updatedAt: createdAt }
}

const countWrites = async (
  { store }: Pick<ZoneServiceDeps, 'store'>,
  id: string,
  world: string | undefined,
): Promise<Write[]> => {
  if (world === undefined) return []
  const counts = await store.get(zoneCounts, world)
  const next = countChange(counts?.value ?? noCounts, { before: { id }, after: undefined })
  return [putWrite(zoneCounts, world, next, { ifVersion: counts?.version ?? null })]
}

/** Removes an unreadable zone, which is the only possible change. Throws `stale`, and `conflict` if another writer changed it first. */
export const removeUnreadableZone = async (
  deps: Pick<ZoneServiceDeps, 'store' | 'clock' | 'ids' | 'events'>,
  actor: AuditActor,
  { id, version, value, ifMatch }: StoredRecord<FoundZone & { zone: undefined }> & { readonly ifMatch: string | undefined },
): Promise<void> => {
  if (ifMatch !== undefined && ifMatch !== version)
    throw new AppError('stale', 'stale', 'The zone was changed since you read it. Read it again and repeat your change.')
  await deps.store.commit([
    { kind: 'delete', collection: foundZones.name, id, ifVersion: version },
    ...(await countWrites(deps, id, value.world)),
    ...auditWrites(createAuditEntry(deps, actor, { action: 'zone.delete', target: id, before: null, after: null })),
  ])
  if (value.world !== undefined) await deps.events.publish('zones-changed', { world: value.world, zoneId: id })
}

/** A change of a zone: a creation without `before`, a deletion without `after`. */
type ZoneStep = { readonly before: StoredRecord<Zone> | undefined; readonly after: Zone | undefined }

/**
 * Each failed attempt means that another writer succeeded. The limit is reached only if hundreds of writers change zones of one world
 * at once.
 */
const attemptsMax = 100

const zoneWrite = ({ before, after }: ZoneStep, id: string): Write => {
  const ifVersion = before?.version ?? null
  return after === undefined
    ? { kind: 'delete', collection: zoneRecords.name, id, ifVersion }
    : putWrite(zoneRecords, id, after, { ifVersion })
}

const auditStep = (deps: Pick<ZoneServiceDeps, 'clock' | 'ids'>, actor: AuditActor, { before, after }: ZoneStep) => {
  const target = (after ?? before?.value)?.id ?? ''
  if (before === undefined) return createAuditEntry(deps, actor, { action: 'zone.create', target, before: null, after })
  if (after === undefined)
    return createAuditEntry(deps, actor, { action: 'zone.delete', target, before: before.value, after: null })
  return createAuditEntry(deps, actor, { action: 'zone.update', target, ...changedSides(before.value, after) })
}

/** Writes a step with the counts and the audit entry, all or nothing. Throws AppError `conflict` if `zones` is out of date. */
export const commitStep = async (
  deps: Pick<ZoneServiceDeps, 'store' | 'clock' | 'ids'>,
  { actor, zones, step }: { readonly actor: AuditActor; readonly zones: WorldZones; readonly step: ZoneStep },
): Promise<Version> => {
  const before = step.before?.value
  const zone = step.after ?? before
  if (zone === undefined) throw new Error('a step needs a zone before or after')
  const counts = countChange(zones.counts, { before, after: step.after })
  const [version] = await deps.store.commit([
    zoneWrite(step, zone.id),
    putWrite(zoneCounts, zone.world, counts, { ifVersion: zones.version }),
    ...auditWrites(auditStep(deps, actor, step)),
  ])
  return version ?? ''
}

/** Repeats `attempt` until it has no conflict. Throws AppError `unavailable` after too many conflicts. */
export const repeatOnConflict = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts += 1)
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof AppError && error.slug === 'conflict')) throw error
      if (attempts === attemptsMax)
        throw new AppError(
          'unavailable',
          'service-unavailable',
          'Too many zones of this world are being changed at once. Nothing was changed. Try again in a moment.',
          { cause: error, retryAfterSeconds: 1 },
        )
    }
}
