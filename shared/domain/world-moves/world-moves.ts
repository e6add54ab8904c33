import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { putWrite, type Store } from '../../platform/storage/store.ts'
import type { Account } from '../accounts/account.ts'
import { auditAccount } from '../accounts/account-audit.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { AuditActor } from '../audit/audit-entry.ts'
import { openJobs, worldPlace } from '../jobs/job.ts'
import type { JobActor, JobService } from '../jobs/job-service.ts'
import { leaseRecords } from '../worlds/leases/lease-record.ts'
import type { WorldLease } from '../worlds/leases/world-lease.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { WorldRecord } from '../worlds/world.ts'
import type { WorldService } from '../worlds/world-service.ts'
import { type Zone, zoneRecords } from '../zones/zone.ts'
import { noCounts, zoneCounts } from '../zones/zone-counts.ts'
import type { ZoneService } from '../zones/zone-service.ts'

export type MoveDeps = {
  readonly store: Store
  readonly worlds: WorldService
  readonly chunks: Pick<ChunkStore, 'stats'>
  readonly zones: Pick<ZoneService, 'listZones' | 'removeZone'>
  readonly jobs: Pick<JobService, 'cancel'>
  readonly accountStore: Pick<AccountStore, 'listAccounts' | 'change'>
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Ids
  /** Throws AppError `conflict`, slug `world-held`, with the holder. */
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  readonly dataDir: string
  /** The names that `GAME_WORLD_NAME` selects. */
  readonly activeNames: readonly string[]
  /** Deletes all chunks of a world from the tables; undefined where worlds are folders. */
  readonly eraseTables: ((world: WorldRef, fence: number) => Promise<void>) | undefined
}

/** The records that referred to the old name of a world. */
export type Pointers = {
  /** Zones that were deleted or moved. */
  readonly zones: number
  /** Accounts with a grant for that world. */
  readonly accounts: number
}

/** `trash` is the folder that now contains the world. */
export type Deleted = Pointers & { readonly trash: string | undefined }

/** Deletes, renames and restores whole worlds that no node runs. The default actor is the operator on the command line. */
export type WorldMoves = {
  /** Moves the world into the trash folder, or with `now` deletes it permanently. */
  readonly deleteWorld: (asked: { readonly name: string; readonly now?: boolean }, actor?: JobActor) => Promise<Deleted>
  readonly renameWorld: (names: { readonly from: string; readonly to: string }, actor?: JobActor) => Promise<Pointers>
  /** Undefined if the folder is not one of the trash. */
  readonly returnWorld: (
    asked: { readonly folder: string; readonly name: string },
    actor?: JobActor,
  ) => Promise<WorldRecord | undefined>
  /** The path of a folder in the trash, whether or not it exists. */
  readonly trashFolder: (name: string) => string
  /** Whether `GAME_WORLD_NAME` selects that name. */
  readonly isActive: (name: string) => boolean
  /** Folders of worlds without a record, one line each. */
  readonly describeStrays: () => Promise<readonly string[]>
}

/** The refusal of an operation that DynamoDB does not support, with the command to use instead. */
const elsewhere = (detail: string): AppError => new AppError('conflict', 'managed-elsewhere', detail)

export const deletedElsewhere = (name: string): AppError =>
  elsewhere(
    `DynamoDB has no trash folder. Export the world with npm run world -- export ${name} FILE, then delete it permanently with npm run world -- delete ${name} --now.`,
  )

export const renamedElsewhere = (from: string, to: string): AppError =>
  elsewhere(
    `In DynamoDB a world cannot be renamed. Copy it with npm run world -- export ${from} FILE, then import FILE ${to}. Zones, history and positions of players are not copied.`,
  )

export const exportedElsewhere = (name: string): AppError =>
  elsewhere(`With DynamoDB, export the world on the command line: npm run world -- export ${name} FILE.`)

export const importedElsewhere = (name: string): AppError =>
  elsewhere(`With DynamoDB, import the file on the command line: npm run world -- import FILE ${name}.`)

export const restoredElsewhere = (): AppError =>
  elsewhere(
    'DynamoDB has no trash folder, so a deleted world cannot be restored. Import its exported file: npm run world -- import FILE NAME.',
  )

/** The lease of a world whose chunks were written under another name. Its fence is above theirs. */
export const leaseAbove = async (
  { acquireLease, store }: Pick<MoveDeps, 'acquireLease' | 'store'>,
  world: WorldRef,
  fence: number,
): Promise<WorldLease> => {
  const lease = await acquireLease(world)
  if (lease.fence > fence) return lease
  await lease.release()
  const stored = await store.get(leaseRecords, world.name)
  await store.put(leaseRecords, world.name, { fence }, { ifVersion: stored?.version ?? null })
  return acquireLease(world)
}

const pageLimit = 200

/** The zones of a world's name, even if no world has the name at the moment. */
const zonesOf = async ({ zones }: MoveDeps, name: string): Promise<readonly Zone[]> =>
  (await zones.listZones()).map(({ zone }) => zone).filter(({ world }) => world === name)

/** Deletes the zones of a world, each with an audit entry. Returns their number. */
export const removeZones = async (deps: MoveDeps, actor: AuditActor, name: string): Promise<number> => {
  const zones = await zonesOf(deps, name)
  for (const { id } of zones) await deps.zones.removeZone(actor, id)
  return zones.length
}

/** Moves the zones of a world to its new name. Safe to repeat after a crash. Returns their number. */
export const carryZones = async (deps: MoveDeps, from: string, to: string): Promise<number> => {
  const { store, clock, events } = deps
  for (const { id } of await zonesOf(deps, from)) {
    const stored = await store.get(zoneRecords, id)
    if (stored === undefined) continue
    const zone = { ...stored.value, world: to, updatedAt: new Date(clock.now()).toISOString() }
    await store.put(zoneRecords, id, zone, { ifVersion: stored.version })
  }
  const carried = await zonesOf(deps, to)
  const [left, right] = [await store.get(zoneCounts, from), await store.get(zoneCounts, to)]
  const old = left?.value ?? noCounts
  // Processes that cache the zones of either name read them again.
  const changes = Math.max(old.changes, right?.value.changes ?? 0) + 1
  await store.commit([
    putWrite(zoneCounts, from, { ...old, zones: 0, changes, recent: [] }, { ifVersion: left?.version ?? null }),
    putWrite(zoneCounts, to, { ...old, zones: carried.length, changes, recent: [] }, { ifVersion: right?.version ?? null }),
  ])
  for (const { id, world } of carried) await events.publish('zones-changed', { world, zoneId: id })
  return carried.length
}

/** The accounts with a grant for a world. */
async function* granted({ accountStore }: MoveDeps, name: string): AsyncGenerator<Account> {
  let cursor: string | undefined
  do {
    const page = await accountStore.listAccounts({ limit: pageLimit, ...(cursor === undefined ? {} : { cursor }) })
    for (const account of page.accounts) if (account.grants?.some(({ world }) => world === name)) yield account
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

export const countGranted = async (deps: MoveDeps, name: string): Promise<number> => {
  let accounts = 0
  for await (const _ of granted(deps, name)) accounts += 1
  return accounts
}

/** Changes grants for a world to its new name. Returns the number of accounts. */
export const carryGrants = async (
  deps: MoveDeps,
  actor: AuditActor,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> => {
  let accounts = 0
  for await (const { email, playerId } of granted(deps, from)) {
    await deps.accountStore.change(email, (before) => {
      const grants = before?.grants?.map((grant) => (grant.world === from ? { ...grant, world: to } : grant))
      if (before === undefined || grants === undefined) return { next: before, result: undefined }
      const after = { ...before, grants }
      return { next: after, result: undefined, audit: auditAccount(deps, actor, 'account.update', { before, after }) }
    })
    await deps.events.publish('account-changed', { playerId, email })
    accounts += 1
  }
  return accounts
}

/** Cancels the waiting jobs of a world that is about to be deleted. */
export const cancelJobs = async ({ store, jobs }: MoveDeps, actor: JobActor, { id }: WorldRecord): Promise<void> => {
  const prefix = `${worldPlace(id)}/`
  const { records } = await store.list(openJobs, { prefix, limit: 1000 })
  for (const record of records) await jobs.cancel(actor, record.id.slice(prefix.length))
}
