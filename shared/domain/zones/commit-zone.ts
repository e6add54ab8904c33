import { AppError } from '../../kernel/errors.ts'
import { putWrite, type StoredRecord, type Version, type Write } from '../../platform/storage/store.ts'
import type { AuditActor } from '../accounts/account-audit.ts'
import { createAuditEntry } from '../audit/audit-entry.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import type { WorldZones } from './world-zones.ts'
import { type Zone, zoneGuards, zoneRecords } from './zone.ts'
import { nextGuard } from './zone-change-count.ts'
import { changedSides } from './zone-changes.ts'
import type { ZoneServiceDeps } from './zone-service.ts'

/** A zone on its way from one state to the next: created without `before`, deleted without `after`. */
export type ZoneStep = { readonly before: StoredRecord<Zone> | undefined; readonly after: Zone | undefined }

/** Each lost attempt is another writer's success: this many are lost only where hundreds change zones of one world at once. */
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

/** Writes a step with the guard and the audit entry, all or nothing; throws AppError `conflict` when the world's zones are not those of `zones` any more. */
export const commitStep = async (
  deps: Pick<ZoneServiceDeps, 'store' | 'clock' | 'ids'>,
  { actor, zones, step }: { readonly actor: AuditActor; readonly zones: WorldZones; readonly step: ZoneStep },
): Promise<Version> => {
  const before = step.before?.value
  const zone = step.after ?? before
  if (zone === undefined) throw new Error('a step begins or ends with a zone')
  const guard = nextGuard(zones.guard, { before, after: step.after })
  const [version] = await deps.store.commit([
    zoneWrite(step, zone.id),
    putWrite(zoneGuards, zone.world, guard, { ifVersion: zones.version }),
    ...auditWrites(auditStep(deps, actor, step)),
  ])
  return version ?? ''
}

/** Runs `attempt` until no other writer was faster. Throws AppError `unavailable` when one always is. */
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
          'Too many zones of this world are being changed at once: nothing was changed, repeat it in a moment.',
          { cause: error, retryAfterSeconds: 1 },
        )
    }
}
