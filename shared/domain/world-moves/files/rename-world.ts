import { AppError } from '../../../kernel/errors.ts'
import { putWrite } from '../../../platform/storage/store.ts'
import type { AuditActor } from '../../audit/audit-entry.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import { checkNewWorld } from '../../worlds/new-world.ts'
import { type WorldRecord, worldRecords } from '../../worlds/world.ts'
import { keptForImport, type LeavingWorld, leavingWorld, nameTaken, worldNames } from '../../worlds/world-names.ts'
import { carryGrants, carryZones, leaseAbove, type MoveDeps, type Pointers, renamedElsewhere } from '../world-moves.ts'
import { isThere, moveFolder, worldFolder } from './world-folders.ts'

type Names = { readonly from: string; readonly to: string }

const refuseNames = ({ from, to }: Names): void => {
  checkNewWorld({ name: to })
  if (from.toLowerCase() !== to.toLowerCase()) return
  const detail = 'The names differ only in letter case, or not at all. Rename the world to another name first.'
  throw new AppError('invalid', 'bad-request', detail)
}

const refuseKept = async ({ store, dataDir }: MoveDeps, to: string): Promise<void> => {
  const nameRecord = (await store.get(worldNames, to.toLowerCase()))?.value
  if (nameRecord?.leaving !== undefined) throw leavingWorld(nameRecord.name, nameRecord.leaving)
  if (nameRecord?.importId !== undefined) throw keptForImport(nameRecord.name)
  if (nameRecord !== undefined) throw nameTaken(nameRecord.name)
  if (!(await isThere(worldFolder(dataDir, to)))) return
  const detail = `There is no world "${to}", but the folder ${worldFolder(dataDir, to)} exists. Move it away first, or choose another name.`
  throw new AppError('conflict', 'already-exists', detail)
}

const findStopped = async ({ store }: MoveDeps, { from, to }: Names): Promise<LeavingWorld | undefined> => {
  const leaving = (await store.get(worldNames, from.toLowerCase()))?.value.leaving
  if (leaving === undefined || leaving.world.name !== from) return undefined
  if (leaving.what !== 'rename' || leaving.to !== to) throw leavingWorld(from, leaving)
  return leaving
}

/** Removes the world's record and reserves both names until the rename is complete. */
const beginLeaving = async (deps: MoveDeps, actor: AuditActor, names: Names): Promise<LeavingWorld> => {
  const stopped = await findStopped(deps, names)
  if (stopped !== undefined) return stopped
  await refuseKept(deps, names.to)
  const { from, to } = names
  const stored = await deps.store.get(worldRecords, from)
  const nameRecord = await deps.store.get(worldNames, from.toLowerCase())
  if (stored === undefined || nameRecord === undefined)
    throw new AppError('not-found', 'not-found', 'There is no world with that name.')
  const leaving: LeavingWorld = { world: stored.value, what: 'rename', to }
  const entryFacts = { action: 'world.rename', target: from, before: { name: from }, after: { name: to } }
  await deps.store.commit([
    { kind: 'delete', collection: worldRecords.name, id: from, ifVersion: stored.version },
    putWrite(worldNames, from.toLowerCase(), { name: from, leaving }, { ifVersion: nameRecord.version }),
    putWrite(worldNames, to.toLowerCase(), { name: to, leaving }, { ifVersion: null }),
    ...auditWrites(createAuditEntry(deps, actor, entryFacts)),
  ])
  return leaving
}

const endLeaving = async ({ store }: MoveDeps, { world, to }: LeavingWorld): Promise<WorldRecord> => {
  const renamed = { ...world, name: to }
  await store.commit([
    putWrite(worldRecords, to, renamed, { ifVersion: null }),
    putWrite(worldNames, to.toLowerCase(), { name: to }),
    { kind: 'delete', collection: worldNames.name, id: world.name.toLowerCase() },
  ])
  return renamed
}

/**
 * Renames a world that no node runs, with its history, positions of players, zones, snapshots and grants. After a crash the next attempt
 * repeats each step. Throws as `deleteWorld`, and `conflict` if the name is taken.
 */
export const renameWorld = async (deps: MoveDeps, actor: AuditActor, names: Names): Promise<Pointers> => {
  refuseNames(names)
  if (deps.eraseTables !== undefined) throw renamedElsewhere(names.from, names.to)
  const { from, to } = names
  const stopped = await findStopped(deps, names)
  const { id } = stopped?.world ?? (await deps.worlds.getWorld(from))
  // If the name is taken, that is a better message than a lease held by a node.
  if (stopped === undefined) await refuseKept(deps, to)
  const lease = await deps.acquireLease({ name: from, id })
  try {
    const next = await leaseAbove(deps, { name: to, id }, lease.fence)
    try {
      const leaving = await beginLeaving(deps, actor, names)
      const zones = await carryZones(deps, from, to)
      const accounts = await carryGrants(deps, actor, names)
      await moveFolder(worldFolder(deps.dataDir, from), worldFolder(deps.dataDir, to))
      await endLeaving(deps, leaving)
      return { zones, accounts }
    } finally {
      await next.release()
    }
  } finally {
    await lease.release()
  }
}
