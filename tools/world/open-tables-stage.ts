import { refuseTaken } from '../../shared/domain/world-moves/files/import/refuse-taken.ts'
import type { WorldFacts, WorldStage } from '../../shared/domain/world-moves/files/import/world-stage.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { checkNewWorld } from '../../shared/domain/worlds/new-world.ts'
import type { ChunkStore, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import { keptForImport, nameTaken, worldNames } from '../../shared/domain/worlds/world-names.ts'
import type { WorldService } from '../../shared/domain/worlds/world-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Store, Version } from '../../shared/platform/storage/store.ts'

export type TablesStageDeps = {
  readonly store: Store
  readonly worlds: Pick<WorldService, 'listWorlds' | 'createWorld' | 'findWorld'>
  readonly chunks: ChunkStore
  readonly ids: Pick<Ids, 'uuid'>
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  /** Fences off writers with a lower fence, and deletes all chunks of a world. */
  readonly eraseChunks: (world: WorldRef, fence: number) => Promise<void>
}

type KeptName = { readonly world: WorldRef; readonly version: Version }

const leftover = (name: string, cause: unknown): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    `There is no world "${name}", but there are chunks under that name in the table. Import under another name.`,
    { cause },
  )

/** Reserves the name for the world, and first deletes the chunks of an import that was stopped. */
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
 * Deletes the remains of an import, unless its world exists after all. Writes the name first, which refuses a late record of
 * the world from a write whose answer was lost.
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
 * Begins an import into the tables. Its chunks are written in place, under a reserved name. The world is invisible until its
 * record is written, in one transaction with the name. Throws AppError `conflict` for a name in use, without regard to case, or
 * while another import of it runs, and `invalid` for an invalid name.
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
        throw new AppError('conflict', 'lease-lost', 'Another process has taken over the name. No world was created.')
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

/** Discards an import that was stopped: its chunks and its name. Throws AppError `conflict` while it runs. */
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
