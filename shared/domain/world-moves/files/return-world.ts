import { AppError } from '../../../kernel/errors.ts'
import type { AuditActor } from '../../audit/audit-entry.ts'
import { checkNewWorld } from '../../worlds/new-world.ts'
import { type WorldRecord, worldRecords } from '../../worlds/world.ts'
import { nameTaken } from '../../worlds/world-names.ts'
import { leaseAbove, type MoveDeps } from '../world-moves.ts'
import { chunksIn, findDeleted, forgetDeleted, isThere, moveFolder, worldFolder } from './world-folders.ts'

const isOf = ({ chunks }: MoveDeps, world: WorldRecord): Promise<boolean> =>
  chunks.stats(world).then(
    () => true,
    () => false,
  )

/** Throws if other chunks are in the way. The world's own chunks may already be in place after an interrupted attempt. */
const refusePlace = async (deps: MoveDeps, folder: string, world: WorldRecord): Promise<void> => {
  const place = worldFolder(deps.dataDir, world.name)
  if (!(await isThere(place))) return
  if (!(await isThere(chunksIn(folder)))) return void (await deps.chunks.stats(world))
  // A complete copy from an attempt that was interrupted before it removed the folder in the trash.
  if (await isOf(deps, world)) return
  throw new AppError('conflict', 'already-exists', `${place} already exists. Move it away first, or choose another name.`)
}

/** Throws if the world was already restored, perhaps by an attempt that was killed before it removed the note. */
const refuseReturned = async ({ store }: MoveDeps, id: string): Promise<void> => {
  const { records } = await store.list(worldRecords, { limit: 1000 })
  const back = records.map(({ value }) => value).find((world) => world.id === id)
  if (back !== undefined)
    throw new AppError('conflict', 'already-exists', `That world was already restored, under the name ${back.name}.`)
}

/**
 * Restores a deleted world from its folder in the trash, with its id, history and positions of players. Undefined if the folder is not one
 * of the trash. Throws AppError `conflict` if the name is taken.
 */
export const returnWorld = async (
  deps: MoveDeps,
  actor: AuditActor,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<WorldRecord | undefined> => {
  const deleted = await findDeleted(folder)
  if (deleted === undefined) return undefined
  checkNewWorld({ name })
  if (deps.eraseTables !== undefined)
    throw new AppError(
      'conflict',
      'managed-elsewhere',
      'A folder of the trash can be restored into a data folder, but not into DynamoDB.',
    )
  if ((await deps.worlds.findWorld(name)) !== undefined) throw nameTaken(name)
  await refuseReturned(deps, deleted.world.id)
  const world = { ...deleted.world, name }
  const lease = await leaseAbove(deps, world, deleted.fence)
  try {
    await refusePlace(deps, folder, world)
    await moveFolder(chunksIn(folder), worldFolder(deps.dataDir, name))
    const { id, seed, generator, settings, spawn } = world
    const facts = { id, name, seed, generator, settings, ...(spawn && { spawn }) }
    const made = await deps.worlds.createWorld(facts, actor).catch(async (error: unknown) => {
      await moveFolder(worldFolder(deps.dataDir, name), chunksIn(folder))
      throw error
    })
    await forgetDeleted(folder)
    return made
  } finally {
    await lease.release()
  }
}
