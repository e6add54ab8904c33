import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { keepMigration } from '../../shared/services/migration-record.ts'
import { beginMigration } from './begin-migration.ts'
import { comparePlaces, describeComparison } from './compare-places.ts'
import { copyParts } from './copy-parts.ts'
import type { MigrateDeps, MigrateExit } from './migrate-deps.ts'
import { listParts, listWorlds } from './parts/list-parts.ts'
import type { SourcePlace, TargetPlace } from './places/place.ts'
import { refuseRunning } from './refuse-running.ts'
import { createRetries, readWithRetries, writeWithRetries } from './retries.ts'

type Leases = ReadonlyMap<string, WorldLease>

/** One for each world, so that no node runs what is not all there; the loss of one ends the migration. */
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

const success = 'Everything is in both places, and the same. The source is as it was.\n'
const failure =
  'The two places differ. Was the source changed meanwhile? Stop what writes to it, and run the same command again: it looks at everything anew.\n'

/** Copies what is not there yet, compares both places, and marks the migration as ended when they are the same. */
export const migrateData = async (from: SourcePlace, into: TargetPlace, deps: MigrateDeps): Promise<MigrateExit> => {
  const { clock, print, complain, begin } = deps
  await refuseRunning(from, deps)
  await refuseRunning(into, deps, into.machineId)
  const worlds = await listWorlds(from)
  const { migration, isResumed } = await beginMigration({ source: from, target: into, worlds }, deps)
  if (isResumed) print(`Migration ${migration.id} of ${migration.startedAt} goes on.\n`)
  const lost = new AbortController()
  const signal = AbortSignal.any([deps.signal, lost.signal])
  const retry = createRetries({ complain, signal, ...deps.retries })
  const [source, target] = [readWithRetries(from, retry), writeWithRetries(into, retry)]
  const leases = await takeLeases(
    target,
    worlds.map(({ name }) => name),
    () => lost.abort(new Error('Somebody else has taken over a world of the target; run the same command again.')),
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
