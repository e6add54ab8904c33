import { setTimeout as sleep } from 'node:timers/promises'
import { type LeaseRecord, leaseRecords } from '../../shared/domain/worlds/leases/lease-record.ts'
import { worldHeld } from '../../shared/domain/worlds/leases/take-lease.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { StoredRecord } from '../../shared/platform/storage/store.ts'
import { keepMigration } from '../../shared/services/migration-record.ts'
import { beginMigration } from './begin-migration.ts'
import { comparePlaces, describeComparison } from './compare-places.ts'
import { copyParts } from './copy-parts.ts'
import type { MigrateDeps, MigrateExit } from './migrate-deps.ts'
import { listParts, listWorlds } from './parts/list-parts.ts'
import { listRecords } from './parts/records-part.ts'
import type { SourcePlace, TargetPlace } from './places/place.ts'
import { createRetries, readWithRetries, writeWithRetries } from './retries.ts'

type Leases = ReadonlyMap<string, WorldLease>

/** One lease for each world, so that no node runs an incomplete one. The loss of a lease ends the migration. */
const takeLeases = async (target: TargetPlace, worldNames: readonly string[], onLost: () => void): Promise<Leases> => {
  const leases = new Map<string, WorldLease>()
  try {
    for (const name of worldNames) {
      const lease = await target.acquireLease(name)
      lease.onLost(onLost)
      leases.set(name, lease)
    }
    return leases
  } catch (error) {
    await releaseAll(leases)
    throw error
  }
}

const releaseAll = async (leases: Leases): Promise<void> => {
  await Promise.all([...leases.values()].map((lease) => lease.release()))
}

const leaseIn =
  (leases: Leases) =>
  (name: string): WorldLease => {
    const lease = leases.get(name)
    if (lease === undefined) throw new TypeError('every world that is moved has its lease')
    return lease
  }

const success = 'Both places have the same data. The source has not changed.\n'
const failure =
  'The two places differ. Maybe the source changed in the meantime. Stop all processes that write to it, and run the same command again: it compares everything again.\n'

type RunningDeps = {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly complain: (text: string) => void
  readonly signal: AbortSignal
}

const lookEveryMs = 500

type Lease = StoredRecord<LeaseRecord>

/** Clocks of machines differ, so this watches the record: a live holder renews it, and a dead one does not. */
const outwait = async (place: SourcePlace, leases: readonly Lease[], { clock, signal }: RunningDeps): Promise<void> => {
  const until = clock.monotonic() + Math.max(...leases.map(({ value }) => value.holder?.ttlMs ?? 0))
  while (clock.monotonic() < until) {
    await sleep(lookEveryMs, undefined, { signal })
    for (const { id, version } of leases) {
      const now = await place.store.get(leaseRecords, id)
      if (now?.value.holder !== undefined && now.version !== version) throw worldHeld(id, now.value.holder.name)
    }
  }
}

/**
 * Throws AppError `conflict` (`world-held`) if a node runs a world of the place. This takes up to 15 s after a crash. A holder
 * of `machineId` without the lock of this machine is dead.
 */
const refuseRunning = async (place: SourcePlace, deps: RunningDeps, machineId?: string): Promise<void> => {
  const doubtful: Lease[] = []
  for await (const lease of listRecords(place.store, leaseRecords)) {
    const { holder } = lease.value
    if (!(await place.holdWorld(lease.id))) throw worldHeld(lease.id, holder?.name)
    if (holder !== undefined && holder.machineId !== machineId) doubtful.push(lease)
  }
  if (doubtful.length === 0) return
  deps.complain(`A node of ${place.label} has crashed or still runs. Checking for up to 15 s.\n`)
  await outwait(place, doubtful, deps)
}

/** Copies missing data, compares both places, and marks the migration as finished when they are the same. */
export const migrateData = async (from: SourcePlace, into: TargetPlace, deps: MigrateDeps): Promise<MigrateExit> => {
  const { clock, print, complain, begin } = deps
  await refuseRunning(from, deps)
  await refuseRunning(into, deps, into.machineId)
  const worlds = await listWorlds(from)
  const { migration, isResumed } = await beginMigration({ source: from, target: into, worlds }, deps)
  if (isResumed) print(`Continuing migration ${migration.id} of ${migration.startedAt}.\n`)
  const lost = new AbortController()
  const signal = AbortSignal.any([deps.signal, lost.signal])
  const retry = createRetries({ complain, signal, ...deps.retries })
  const [source, target] = [readWithRetries(from, retry), writeWithRetries(into, retry)]
  const leases = await takeLeases(
    target,
    worlds.map(({ name }) => name),
    () => lost.abort(new Error('Another process has taken over a world of the target. Run the same command again.')),
  )
  try {
    const parts = listParts(worlds)
    await copyParts({ source, target, parts, migration, isResumed, leaseOf: leaseIn(leases), begin, complain, signal })
    const { table, areEqual } = describeComparison(await comparePlaces({ source, target, parts, begin, signal }))
    print(table)
    const { checkpoint: _, ...ended } = migration
    await keepMigration(target.store, areEqual ? { ...ended, finishedAt: new Date(clock.now()).toISOString() } : ended)
    print(areEqual ? success : failure)
    return areEqual ? 0 : 3
  } finally {
    await releaseAll(leases)
  }
}
