import { AppError } from '../../kernel/errors.ts'
import { putWrite, type StoredRecord, type Version, type Write } from '../../platform/storage/store.ts'
import { type AuditActor, createAuditEntry } from '../audit/audit-entry.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import type { WorldZones } from './world-zones.ts'
import { type Zone, zoneRecords } from './zone.ts'
import { changedSides } from './zone-changes.ts'
import { countChange, zoneCounts } from './zone-counts.ts'
import type { ZoneServiceDeps } from './zone-service.ts'

/** A change of a zone: a creation without `before`, a deletion without `after`. */
export type ZoneStep = { readonly before: StoredRecord<Zone> | undefined; readonly after: Zone | undefined }

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
