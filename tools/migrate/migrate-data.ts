import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { configNames } from '../../shared/domain/configs/catalogue.ts'
import { type LeaseRecord, leaseRecords } from '../../shared/domain/worlds/leases/lease-record.ts'
import { worldHeld } from '../../shared/domain/worlds/leases/take-lease.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { StoredRecord } from '../../shared/platform/storage/store.ts'
import { findMigration, keepMigration, type Migration } from '../../shared/services/migration-record.ts'
import type { Progress } from '../world/progress.ts'
import { comparePlaces, describeComparison } from './compare-places.ts'
import { listParts, listWorlds } from './parts/list-parts.ts'
import { type Copying, lastingCollections, type Part, revisionCollections } from './parts/part.ts'
import { isEmpty, listRecords } from './parts/records-part.ts'
import type { SourcePlace, TargetPlace } from './places/place.ts'

type BeginDeps = { readonly clock: Pick<Clock, 'now'>; readonly ids: Pick<Ids, 'uuid'> }

const fixOf = { embedded: 'set DATA_DIR to a folder that does not exist yet', dynamodb: 'choose another DYNAMODB_TABLE_PREFIX' }

const refuse = ({ label, kind }: TargetPlace, why: string): AppError =>
  new AppError('conflict', 'already-exists', `Nothing is moved into ${label}: ${why}. Empty it, or ${fixOf[kind]}.`)

/** The content of a place, in words. */
const listOccupants = async (place: TargetPlace, worlds: readonly WorldRecord[]): Promise<readonly string[]> => {
  const found: string[] = []
  if ((await place.accounts.listAccounts({ limit: 1 })).accounts.length > 0) found.push('accounts')
  for (const name of configNames) if ((await place.configs.findInForce(name)) !== undefined) found.push(name)
  for (const { name, what } of [
    ...lastingCollections,
    ...revisionCollections.map((name) => ({ name, what: 'config revisions' })),
  ])
    if (!(await isEmpty(place.store, name))) found.push(what)
  for (const world of worlds) if ((await place.chunks.stats(world)).chunkCount > 0) found.push(`columns of ${world.name}`)
  return [...new Set(found)]
}

/**
 * The migration from `source` that continues in `target`, or a new one. Throws AppError `conflict` if the target has other data
 * or a finished migration.
 */
const beginMigration = async (
  { source, target, worlds }: { source: SourcePlace; target: TargetPlace; worlds: readonly WorldRecord[] },
  { clock, ids }: BeginDeps,
): Promise<{ readonly migration: Migration; readonly isResumed: boolean }> => {
  const sourceId = createHash('sha256').update(source.identity).digest('hex')
  const found = await findMigration(target.store)
  if (found !== undefined) {
    const { id, from, sourceId: foundId, finishedAt } = found
    if (foundId !== sourceId) throw refuse(target, `it has an unfinished migration ${id} from another source, ${from}`)
    if (finishedAt !== undefined)
      throw refuse(
        target,
        `migration ${id} from this source ended at ${finishedAt}, and later changes would be lost (compare with --verify)`,
      )
    return { migration: found, isResumed: true }
  }
  const occupants = await listOccupants(target, worlds)
  if (occupants.length > 0) throw refuse(target, `it has other data already (${occupants.join(', ')})`)
  const migration = { id: ids.uuid(), from: source.label, sourceId, startedAt: new Date(clock.now()).toISOString() }
  await keepMigration(target.store, migration)
  return { migration, isResumed: false }
}

type CopyOptions = Omit<Copying, 'onKept'> & { readonly begin: MigrateDeps['begin'] }

const copyPart = async (part: Part, options: CopyOptions): Promise<void> => {
  const { source, begin, complain, signal } = options
  const progress = begin(`Moving ${part.name}`, await part.count(source))
  try {
    signal.throwIfAborted()
    await part.copy({ ...options, onKept: (count) => progress.advance(count) })
  } catch (error) {
    if (!signal.aborted) complain(`Moving ${part.name} failed:\n`)
    throw error
  } finally {
    progress.end()
  }
}

/** Exit codes: 0 both places are the same, 1 bad usage, 2 refused or failed, 3 the places differ, 130 stopped by Ctrl-C. */
export type MigrateExit = 0 | 1 | 2 | 3 | 130

/** The dependencies and outputs of a migration. */
export type MigrateDeps = {
  readonly clock: Clock
  readonly ids: Ids
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Starts a progress display; `total` is 0 if it is unknown. */
  readonly begin: (what: string, total: number) => Progress
  /** Aborts when the user stops the run. */
  readonly signal: AbortSignal
}

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
export const migrateData = async (source: SourcePlace, target: TargetPlace, deps: MigrateDeps): Promise<MigrateExit> => {
  const { clock, print, complain, begin } = deps
  await refuseRunning(source, deps)
  await refuseRunning(target, deps, target.machineId)
  const worlds = await listWorlds(source)
  const { migration, isResumed } = await beginMigration({ source, target, worlds }, deps)
  if (isResumed) print(`Continuing migration ${migration.id} of ${migration.startedAt}.\n`)
  const lost = new AbortController()
  const signal = AbortSignal.any([deps.signal, lost.signal])
  const leases = await takeLeases(
    target,
    worlds.map(({ name }) => name),
    () => lost.abort(new Error('Another process has taken over a world of the target. Run the same command again.')),
  )
  try {
    const parts = listParts(worlds)
    for (const part of parts)
      await copyPart(part, { source, target, isResumed, leaseOf: leaseIn(leases), begin, complain, signal })
    const { table, areEqual } = describeComparison(await comparePlaces({ source, target, parts, begin, signal }))
    print(table)
    if (areEqual) await keepMigration(target.store, { ...migration, finishedAt: new Date(clock.now()).toISOString() })
    print(areEqual ? success : failure)
    return areEqual ? 0 : 3
  } finally {
    await releaseAll(leases)
  }
}
