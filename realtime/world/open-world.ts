import { AppError } from '../../shared/kernel/errors.ts'
import type { Services } from '../../shared/services.ts'
import { acquireLease } from '../../shared/worlds/acquire-lease.ts'
import type { WorldRef } from '../../shared/worlds/chunk-store.ts'
import type { LeaseHolder } from '../../shared/worlds/world-lease.ts'
import { createGenerationPool } from '../workers/generation-pool.ts'
import { createNodeWorld, type NodeWorld } from './node-world.ts'

/** Who runs the world, and where this machine sees that it is run. */
export type WorldTenure = {
  readonly holder: LeaseHolder
  /** Beside the chunks of the world: `<dataDir>/worlds/<name>.lease`. */
  readonly lockPath: string
}

/** A world that is this node's until it is closed. */
export type OpenWorld = NodeWorld & {
  /** Called once, when somebody else may run the world from now on: nothing is written any more, and the node must go. */
  onLost(listener: () => void): void
}

/**
 * Before the first column is read: from here on no holder from before writes what this node would not know of. A store that nobody can
 * write to is told at the start; a full one may have room again.
 */
const raiseFence = async ({ chunks, log }: Pick<Services, 'chunks' | 'log'>, world: WorldRef, fence: number): Promise<void> => {
  try {
    await chunks.putMany(world, [], fence)
  } catch (error) {
    if (!(error instanceof AppError && error.slug === 'storage-full')) throw error
    log.warn({ err: error, world: world.name }, 'there is no room for chunks: edits are refused until there is')
  }
}

/**
 * The active world, created when absent, under a lease. Throws AppError `conflict`, slug `world-held`, that names who runs it already, and
 * `unavailable`, slug `world-unusable`, when its files or its terrain cannot be used.
 */
export const openWorld = async (services: Services, { holder, lockPath }: WorldTenure): Promise<OpenWorld> => {
  const { worlds, chunks, store, configs, clock, ids, log } = services
  const record = await worlds.ensureActive()
  // Before anybody comes in: a folder that cannot be used is told at the start.
  await chunks.stats(record)
  const lease = await acquireLease({ store, clock, ids, log, worldName: record.name, holder, lockPath })
  const blocks = configs.get('blocks.yaml')
  try {
    await raiseFence(services, record, lease.fence)
    const generation = createGenerationPool({ world: record, blocks })
    const world = createNodeWorld({ record, blocks, chunks, store, generation, lease, clock, log })
    return {
      ...world,
      onLost: lease.onLost,
      close: async () => {
        await world.close().finally(generation.close).finally(lease.release)
      },
    }
  } catch (error) {
    await lease.release()
    throw error
  }
}
