import type { Actor } from '../accounts/actor.ts'
import { createAuditEntry } from '../audit/audit-entry.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import { AppError } from '../kernel/errors.ts'
import { putWrite, type StoredRecord, type Write } from '../storage/store.ts'
import { type FoundZone, foundZones, zoneGuards } from './zone.ts'
import { emptyGuard, nextGuard } from './zone-guard.ts'
import type { ZoneServiceDeps } from './zone-service-deps.ts'

const guardWrites = async (
  { store }: Pick<ZoneServiceDeps, 'store'>,
  id: string,
  world: string | undefined,
): Promise<Write[]> => {
  if (world === undefined) return []
  const guard = await store.get(zoneGuards, world)
  const next = nextGuard(guard?.value ?? emptyGuard, { before: { id }, after: undefined })
  return [putWrite(zoneGuards, world, next, { ifVersion: guard?.version ?? null })]
}

/** Removes a stored zone that cannot be read, which is all that can be done with it, as a zone is removed; throws `stale`, and `conflict` when somebody was faster. */
export const removeUnreadableZone = async (
  deps: Pick<ZoneServiceDeps, 'store' | 'clock' | 'ids' | 'events'>,
  actor: Actor,
  { id, version, value, ifMatch }: StoredRecord<FoundZone & { zone: undefined }> & { readonly ifMatch: string | undefined },
): Promise<void> => {
  if (ifMatch !== undefined && ifMatch !== version)
    throw new AppError('stale', 'stale', 'The zone has changed since it was read; read it again and repeat.')
  await deps.store.commit([
    { kind: 'delete', collection: foundZones.name, id, ifVersion: version },
    ...(await guardWrites(deps, id, value.world)),
    ...auditWrites(createAuditEntry(deps, actor, { action: 'zone.delete', target: id, before: null, after: null })),
  ])
  if (value.world !== undefined) await deps.events.publish('zones-changed', { world: value.world, zoneId: id })
}
