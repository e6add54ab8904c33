import { AppError } from '../../../kernel/errors.ts'
import type { AuditActor } from '../../accounts/account-audit.ts'
import { checkNewWorld } from '../../worlds/new-world.ts'
import { type WorldRecord, worldRecords } from '../../worlds/world.ts'
import { nameTaken } from '../../worlds/world-names.ts'
import { leaseAbove } from '../lease-above.ts'
import type { MoveDeps } from '../world-moves.ts'
import { chunksIn, findDeleted, forgetDeleted, isThere, moveFolder, worldFolder } from './world-folders.ts'

const isOf = ({ chunks }: MoveDeps, world: WorldRecord): Promise<boolean> =>
  chunks.stats(world).then(
    () => true,
    () => false,
  )

/** The chunks are in the trash folder, or already in place after a try that was cut short. */
const refusePlace = async (deps: MoveDeps, folder: string, world: WorldRecord): Promise<void> => {
  const place = worldFolder(deps.dataDir, world.name)
  if (!(await isThere(place))) return
  if (!(await isThere(chunksIn(folder)))) return void (await deps.chunks.stats(world))
  // A whole copy, of a try that was cut short before the one in the trash was gone.
  if (await isOf(deps, world)) return
  throw new AppError('conflict', 'already-exists', `${place} is there already: move it away first, or choose another name.`)
}

/** One that was brought back already, perhaps by a try that was killed before it could forget the folder. */
const refuseReturned = async ({ store }: MoveDeps, id: string): Promise<void> => {
  const { records } = await store.list(worldRecords, { limit: 1000 })
  const back = records.map(({ value }) => value).find((world) => world.id === id)
  if (back !== undefined)
    throw new AppError('conflict', 'already-exists', `That world is back already, under the name ${back.name}.`)
}

/**
 * Brings a deleted world back out of its folder in the trash, with its id, and so with its history and the places of players. Undefined
 * where the folder is none of the trash. Throws AppError `conflict` where the name is taken.
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
    throw new AppError('conflict', 'managed-elsewhere', 'A folder of the trash goes back into a data folder, not into DynamoDB.')
  if ((await deps.worlds.findWorld(name)) !== undefined) throw nameTaken(name)
  await refuseReturned(deps, deleted.world.id)
  const world = { ...deleted.world, name }
  const lease = await leaseAbove(deps, world, deleted.fence)
  try {
    await refusePlace(deps, folder, world)
    await moveFolder(chunksIn(folder), worldFolder(deps.dataDir, name))
    const { id, seed, generator, settings } = world
    const made = await deps.worlds.createWorld({ id, name, seed, generator, settings }, actor).catch(async (error: unknown) => {
      await moveFolder(worldFolder(deps.dataDir, name), chunksIn(folder))
      throw error
    })
    await forgetDeleted(folder)
    return made
  } finally {
    await lease.release()
  }
}
