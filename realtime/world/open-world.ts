import { openHistoryBook } from '../../shared/domain/history/history-book.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import type { LeaseState } from '../metrics/realtime-metrics.ts'
import { createGenerationPool } from '../workers/generation-pool.ts'
import { chooseSpawn } from './choose-spawn.ts'
import { createNodeWorld, type NodeWorld } from './node-world.ts'
import type { TakenWorld } from './take-world.ts'

/** A world that this node runs until it is closed. */
export type OpenWorld = NodeWorld & {
  /** Called once, when another node may run the world. Nothing is written after that, and this node must stop. */
  onLost(listener: () => void): void
  readonly lease: LeaseState & Pick<WorldLease, 'isLost' | 'concede'>
}

/**
 * Call it before the first column is read. Afterwards no earlier holder can write data that this node does not know. A read-only
 * store makes the start fail, but a full store may have room again later.
 */
const raiseFence = async ({ chunks, log }: Pick<Services, 'chunks' | 'log'>, world: WorldRef, fence: number): Promise<void> => {
  try {
    await chunks.putMany(world, [], fence)
  } catch (error) {
    if (!(error instanceof AppError && error.slug === 'storage-full')) throw error
    log.warn({ err: error, world: world.name }, 'there is no space for chunks; edits are refused until there is')
  }
}

/** Chooses the spawn of a new world. Other worlds keep theirs. */
const giveSpawn = async (
  { worlds, configs }: Pick<Services, 'worlds' | 'configs'>,
  record: WorldRecord,
): Promise<WorldRecord> => {
  const { generator: version, seed, settings, name } = record
  const registry = registryOf(configs.get('blocks.yaml'))
  const spawn = chooseSpawn(createGenerator({ version, seed, settings, registry }), registry)
  return spawn === undefined ? record : worlds.setSpawn(name, spawn)
}

/**
 * Opens a world whose lease was just taken, and creates it if absent. Throws AppError `unavailable`, slug `world-unusable`, if its
 * files or terrain cannot be used. In that case the lease is released.
 */
export const openTakenWorld = async (services: Services, { name, lease }: TakenWorld): Promise<OpenWorld> => {
  const { worlds, chunks, store, configs, clock, log } = services
  const blocks = configs.get('blocks.yaml')
  try {
    const made = await worlds.ensureWorld(name)
    // Call it before players join, so that an unusable folder makes the start fail.
    const { chunkCount } = await chunks.stats(made)
    await raiseFence(services, made, lease.fence)
    const record = chunkCount === 0 && made.spawn === undefined ? await giveSpawn(services, made) : made
    const limits = () => configs.get('server.yaml').history
    const history = await openHistoryBook({ chunks, world: record, limits, clock })
    const generation = createGenerationPool({ world: record, blocks })
    const world = createNodeWorld({ record, blocks, chunks, store, history, generation, lease, clock, log })
    return {
      ...world,
      onLost: lease.onLost,
      lease,
      close: async () => {
        // The next node does not need to wait for threads that write nothing.
        await world.close().finally(lease.release).finally(generation.close)
      },
    }
  } catch (error) {
    await lease.release()
    throw error
  }
}
