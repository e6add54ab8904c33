import { putWrite } from '../../platform/storage/store.ts'
import type { Account } from '../accounts/account.ts'
import { auditAccount } from '../accounts/account-audit.ts'
import type { AuditActor } from '../audit/audit-entry.ts'
import { openJobs, worldPlace } from '../jobs/job.ts'
import type { JobActor } from '../jobs/job-service.ts'
import type { WorldRecord } from '../worlds/world.ts'
import { type Zone, zoneRecords } from '../zones/zone.ts'
import { noCounts, zoneCounts } from '../zones/zone-counts.ts'
import type { MoveDeps } from './world-moves.ts'

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
