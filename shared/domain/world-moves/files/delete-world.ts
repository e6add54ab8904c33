import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { putWrite } from '../../../platform/storage/store.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import type { JobActor } from '../../jobs/job-service.ts'
import { createWorldStates } from '../../modules/data/world-states.ts'
import { eraseDay } from '../../node-reports/day-records.ts'
import type { WorldLease } from '../../worlds/leases/world-lease.ts'
import { worldRecords } from '../../worlds/world.ts'
import { type LeavingWorld, leavingWorld, worldNames } from '../../worlds/world-names.ts'
import { cancelJobs, countGranted, type Deleted, deletedElsewhere, type MoveDeps, removeZones } from '../world-moves.ts'
import { chunksIn, mapFolder, moveFolder, noteDeleted, trashDir, worldFolder } from './world-folders.ts'

/** A folder name that sorts by time and is valid on every system. */
const trashName = (name: string, nowMs: number): string => `${name}-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`

/** Removes the world's record and reserves its name until the deletion is complete. */
const beginLeaving = async (deps: MoveDeps, actor: JobActor, name: string): Promise<LeavingWorld> => {
  const { store, clock } = deps
  const nameRecord = await store.get(worldNames, name.toLowerCase())
  const stopped = nameRecord?.value.leaving
  if (stopped !== undefined && stopped.what !== 'delete') throw leavingWorld(name, stopped)
  if (stopped !== undefined && nameRecord?.value.name === name) return stopped
  const stored = await store.get(worldRecords, (await deps.worlds.getWorld(name)).name)
  if (stored === undefined || nameRecord === undefined)
    throw new AppError('not-found', 'not-found', 'There is no world with that name.')
  const leaving: LeavingWorld = { world: stored.value, what: 'delete', to: trashName(name, clock.now()) }
  const entry = createAuditEntry(deps, actor, { action: 'world.delete', target: name, before: stored.value, after: null })
  await store.commit([
    { kind: 'delete', collection: worldRecords.name, id: name, ifVersion: stored.version },
    putWrite(worldNames, name.toLowerCase(), { name, leaving }, { ifVersion: nameRecord.version }),
    ...auditWrites(entry),
  ])
  return leaving
}

const takeChunks = async (deps: MoveDeps, { world, to }: LeavingWorld, lease: WorldLease, now: boolean) => {
  const { dataDir, eraseTables, store } = deps
  // The trash has the world only, so the states of modules stay in the store for a restore.
  if (now) await createWorldStates(store).erase(world.id)
  await eraseDay(store, world.id)
  if (eraseTables !== undefined) return void (await eraseTables(world, lease.fence))
  const trash = join(trashDir(dataDir), to)
  const removal = { recursive: true, force: true }
  // Map pictures are made again if the world is restored.
  await rm(mapFolder(dataDir, world.id), removal)
  if (now) {
    await rm(worldFolder(dataDir, world.name), removal)
    // Removes what an earlier attempt without `now` may have left.
    return void (await rm(trash, removal))
  }
  await noteDeleted(trash, { world, fence: lease.fence })
  await moveFolder(worldFolder(dataDir, world.name), chunksIn(trash))
  return trash
}

/**
 * Deletes a world that no node runs: into the trash folder, or with `now` permanently. Deletes its zones and cancels its waiting jobs
 * too. After a crash the next attempt repeats each step. Throws AppError `not-found`, and `conflict`, slug `world-held`, if a node runs
 * the world.
 */
export const deleteWorld = async (
  deps: MoveDeps,
  actor: JobActor,
  { name, now = false }: { readonly name: string; readonly now?: boolean },
): Promise<Deleted> => {
  const { store, worlds } = deps
  const stopped = (await store.get(worldNames, name.toLowerCase()))?.value.leaving
  const { id } = stopped?.world.name === name ? stopped.world : await worlds.getWorld(name)
  if (deps.eraseTables !== undefined && !now) throw deletedElsewhere(name)
  const lease = await deps.acquireLease({ name, id })
  try {
    const leaving = await beginLeaving(deps, actor, name)
    const zones = await removeZones(deps, actor, name)
    await cancelJobs(deps, actor, leaving.world)
    const accounts = await countGranted(deps, name)
    const trash = await takeChunks(deps, leaving, lease, now)
    await store.delete(worldNames, name.toLowerCase())
    return { zones, accounts, trash }
  } finally {
    await lease.release()
  }
}
