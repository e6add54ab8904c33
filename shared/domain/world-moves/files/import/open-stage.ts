import { mkdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ClosedObject } from '../../../../kernel/closed-object.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import { folderModeAt } from '../../../../platform/storage/files/group-folder.ts'
import { movePath } from '../../../../platform/storage/files/move-folder.ts'
import { createCollection, type Store } from '../../../../platform/storage/store.ts'
import type { AuditActor } from '../../../audit/audit-entry.ts'
import type { WorldLease } from '../../../worlds/leases/world-lease.ts'
import { checkNewWorld } from '../../../worlds/new-world.ts'
import type { ChunkStore, WorldRef } from '../../../worlds/store/chunk-store.ts'
import { WorldRecord } from '../../../worlds/world.ts'
import type { WorldService } from '../../../worlds/world-service.ts'
import { refuseTaken } from './refuse-taken.ts'
import type { WorldFacts, WorldStage } from './world-stage.ts'

export type StageDeps = {
  /** The parent folder of the folders of worlds. */
  readonly worldsDir: string
  readonly store: Store
  readonly worlds: Pick<WorldService, 'listWorlds' | 'createWorld' | 'findWorld'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  /** Opens a store of the worlds in another folder. */
  readonly openChunks: (path: string) => ChunkStore
}

/** No world can have this name, so an incomplete world is never found there. */
const stagingFolder = '.importing'

/** By the name of the world: the chunks that were put in place while the world had no record yet. */
const worldImports = createCollection('world-imports', ClosedObject({ id: WorldRecord.properties.id }))

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

const leftover = (name: string): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    `There is no world "${name}", but there are chunks under that name. Move their folder out of worlds in the data folder, or import under another name.`,
  )

/** Whether the chunks in the folder are from an import that was killed before it recorded its world. */
const isOurs = async ({ openChunks, worldsDir, store }: StageDeps, name: string): Promise<boolean> => {
  const started = (await store.get(worldImports, name))?.value
  if (started === undefined) return false
  const chunks = openChunks(worldsDir)
  try {
    await chunks.stats({ name, id: started.id })
    return true
  } catch {
    return false
  } finally {
    await chunks.close()
  }
}

/** Clears the place of the new world. Throws if that would delete other data. */
const clearPlace = async (deps: StageDeps, name: string): Promise<void> => {
  const place = join(deps.worldsDir, name)
  if (!(await isThere(place))) return
  const wasEmpty = await rmdir(place).then(
    () => true,
    () => false,
  )
  if (wasEmpty) return
  if (!(await isOurs(deps, name))) throw leftover(name)
  await rm(place, { recursive: true, force: true })
}

const move = async (from: string, to: string): Promise<void> => {
  try {
    await movePath(from, to)
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'service-unavailable',
      'The imported chunks cannot be put in place. No world was created.',
      { cause },
    )
  }
}

/** In this order, a kill at any moment leaves either no world or the whole one. */
const publishStage = async (
  deps: StageDeps,
  stage: { readonly world: WorldRef; readonly path: string },
  { facts, actor }: { readonly facts: WorldFacts; readonly actor: AuditActor | undefined },
) => {
  const { store, worlds, worldsDir } = deps
  const { name, id } = stage.world
  const place = join(worldsDir, name)
  await store.put(worldImports, name, { id })
  const hasChunks = await isThere(stage.path)
  if (hasChunks) await move(stage.path, place)
  try {
    const record = await worlds.createWorld({ ...facts, name, id }, actor)
    await store.delete(worldImports, name)
    return record
  } catch (error) {
    const made = await worlds.findWorld(name)
    if (made?.id === id) return made
    if (hasChunks) await rm(place, { recursive: true, force: true })
    throw error
  }
}

/**
 * Begins an import: its chunks go into a separate folder, and into place when they are complete. Throws AppError `conflict` for
 * a name in use, without regard to case, or while another import of it runs, and `invalid` for an invalid name.
 */
export const openStage = async (deps: StageDeps, name: string): Promise<WorldStage> => {
  checkNewWorld({ name })
  const world = { name, id: deps.ids.uuid() }
  await refuseTaken(deps, name)
  const lease = await deps.acquireLease(world)
  const root = join(deps.worldsDir, stagingFolder)
  const path = join(root, name)
  let chunks: ChunkStore | undefined
  const discard = async () => {
    await chunks?.close()
    await rm(path, { recursive: true, force: true })
    // Another import may be using it.
    await rmdir(root).catch(() => undefined)
  }
  try {
    // Checked again under the lease, which every import of this name needs.
    await refuseTaken(deps, name)
    await clearPlace(deps, name)
    await rm(path, { recursive: true, force: true })
    await mkdir(root, { recursive: true, mode: folderModeAt(root) })
    chunks = deps.openChunks(root)
  } catch (error) {
    await discard()
    await lease.release()
    throw error
  }
  const opened = chunks
  return {
    world,
    chunks: opened,
    fence: lease.fence,
    publish: async (facts, actor) => {
      if (!lease.isHeld())
        throw new AppError('conflict', 'lease-lost', 'Another process has taken over the name. No world was created.')
      await opened.close()
      return publishStage(deps, { world, path }, { facts, actor })
    },
    close: async () => {
      await discard()
      await lease.release()
    },
  }
}
