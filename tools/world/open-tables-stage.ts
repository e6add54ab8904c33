import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { checkNewWorld } from '../../shared/domain/worlds/new-world.ts'
import type { ChunkStore, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import { keptForImport, nameTaken, worldNames } from '../../shared/domain/worlds/world-names.ts'
import type { WorldService } from '../../shared/domain/worlds/world-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Store, Version } from '../../shared/platform/storage/store.ts'
import { refuseTaken } from './refuse-taken.ts'
import type { WorldFacts, WorldStage } from './world-task.ts'

export type TablesStageDeps = {
  readonly store: Store
  readonly worlds: Pick<WorldService, 'listWorlds' | 'createWorld' | 'findWorld'>
  readonly chunks: ChunkStore
  readonly ids: Pick<Ids, 'uuid'>
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  /** Refuses whoever still writes to a world under a lower fence, and takes all its chunks away. */
  readonly eraseChunks: (world: WorldRef, fence: number) => Promise<void>
}

type KeptName = { readonly world: WorldRef; readonly version: Version }

const leftover = (name: string, cause: unknown): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    `There is no world "${name}", and yet chunks under that name in the table: import under another name.`,
    { cause },
  )

/** Keeps the name for the world, in place of an import that was stopped, whose chunks are taken away first. */
const keepName = async (deps: TablesStageDeps, world: WorldRef, fence: number): Promise<KeptName> => {
  const { store, chunks, eraseChunks } = deps
  const { name, id } = world
  const found = await store.get(worldNames, name.toLowerCase())
  const stopped = found?.value.importId
  if (found !== undefined && stopped === undefined) throw nameTaken(found.value.name)
  if (found !== undefined && found.value.name !== name) throw keptForImport(found.value.name)
  if (stopped !== undefined) await eraseChunks({ name, id: stopped }, fence)
  await chunks.stats(world).catch((error: unknown) => {
    throw error instanceof AppError && error.slug === 'world-unusable' ? leftover(name, error) : error
  })
  const ifVersion = found?.version ?? null
  return { world, version: await store.put(worldNames, name.toLowerCase(), { name, importId: id }, { ifVersion }) }
}

/**
 * Takes away what an import has left, unless its world is there after all. The name is written first: a world that is about to be
 * made of it, by a write whose answer was lost, is refused from then on.
 */
const discard = async ({ store, eraseChunks }: TablesStageDeps, { world, version }: KeptName, fence: number): Promise<void> => {
  const { name, id } = world
  const nameId = name.toLowerCase()
  const ifVersion = await store.put(worldNames, nameId, { name, importId: id }, { ifVersion: version })
  await eraseChunks(world, fence)
  await store.delete(worldNames, nameId, { ifVersion })
}

const publish = async ({ worlds }: TablesStageDeps, { name, id }: WorldRef, facts: WorldFacts): Promise<WorldRecord> => {
  try {
    return await worlds.createWorld({ ...facts, name, id })
  } catch (error) {
    const made = await worlds.findWorld(name)
    if (made?.id === id) return made
    throw error
  }
}

/**
 * Begins to bring a world into the tables. Its chunks go where they stay, under a name that is kept for it. Nobody sees a world
 * there before its record is written, in one transaction with the name. Throws AppError `conflict` when there is a world of that name, letter
 * case aside, or another import of it runs; `invalid` for a name that cannot be.
 */
export const openTablesStage = async (deps: TablesStageDeps, name: string): Promise<WorldStage> => {
  checkNewWorld({ name })
  const world = { name, id: deps.ids.uuid() }
  await refuseTaken(deps, name)
  const lease = await deps.acquireLease(world)
  const keep = async () => {
    await refuseTaken(deps, name)
    return keepName(deps, world, lease.fence)
  }
  const kept = await keep().catch(async (error: unknown) => {
    await lease.release()
    throw error
  })
  let isPublished = false
  return {
    world,
    chunks: deps.chunks,
    fence: lease.fence,
    publish: async (facts) => {
      if (!lease.isHeld())
        throw new AppError('conflict', 'lease-lost', 'The name was taken over by another process; no world was made.')
      const record = await publish(deps, world, facts)
      isPublished = true
      return record
    },
    close: async () => {
      try {
        if (!isPublished && lease.isHeld()) await discard(deps, kept, lease.fence)
      } finally {
        await lease.release()
      }
    },
  }
}

/** Gives up an import that was stopped: its chunks and its name. Throws AppError `conflict` while it runs. */
export const discardImport = async (deps: TablesStageDeps, world: WorldRef): Promise<void> => {
  const lease = await deps.acquireLease(world)
  try {
    const found = await deps.store.get(worldNames, world.name.toLowerCase())
    if (found?.value.importId !== world.id) return
    await discard(deps, { world, version: found.version }, lease.fence)
  } finally {
    await lease.release()
  }
}
