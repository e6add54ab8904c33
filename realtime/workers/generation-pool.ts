import { availableParallelism } from 'node:os'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createThreadPool } from '../../shared/kernel/thread-pool.ts'
import { moduleBeside } from '../../shared/platform/process/module-beside.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'
import type { GenerationWorkerData } from './generation-worker-data.ts'
import { createNearestFirst, type Wanted } from './nearest-first.ts'

export type GenerationPool = {
  /**
   * The encoded record of a new column. The smallest `distance()` goes first; it is asked while the request waits. Rejects with an
   * AbortError once `signal` is aborted, at no cost if it was not begun, and with AppError `unavailable` when it cannot be made.
   */
  generate(pos: ChunkPos, wanted: Wanted): Promise<Uint8Array>
  /** Rejects all that is not done, and resolves once the threads are gone. */
  close(): Promise<void>
}

export type GenerationPoolOptions = GenerationWorkerData & {
  /** One less than there are cores, at least 1 and at most 4, when absent. */
  readonly threads?: number
  /** The module that each thread runs, which exports `generateColumn`; our own when absent. */
  readonly worker?: URL
}

const threadsMax = 4
/** One that is computed, and one so that the thread need not wait for us. */
const jobsPerThread = 2

/**
 * Worker threads that generate and encode the columns of one world. A column whose thread dies or throws is tried once more. Throws
 * AppError `unavailable`, slug `world-unusable`, when this server cannot make the world's terrain.
 */
export const createGenerationPool = ({
  world: { seed, generator, settings },
  blocks,
  threads = Math.min(threadsMax, Math.max(1, availableParallelism() - 1)),
  worker = moduleBeside('generation-worker', import.meta.url),
}: GenerationPoolOptions): GenerationPool => {
  // Here already, so that a world that cannot be made is refused at once rather than column by column.
  createGenerator({ version: generator, seed, settings, registry: registryOf(blocks) })
  const workerData: GenerationWorkerData = { world: { seed, generator, settings }, blocks }
  const pool = createThreadPool<ChunkPos>({
    module: worker,
    name: 'generateColumn',
    minThreads: threads,
    maxThreads: threads,
    workerData,
  })
  const jobs = createNearestFirst({ run: (pos: ChunkPos) => pool.run<Uint8Array>(pos), slots: threads * jobsPerThread })
  return {
    generate: async ({ cx, cz }, wanted) => {
      try {
        return await jobs.submit({ cx, cz }, wanted)
      } catch (cause) {
        if (cause instanceof AppError || wanted.signal.aborted) throw cause
        throw new AppError('unavailable', 'service-unavailable', 'The terrain there could not be made.', { cause })
      }
    },
    close: async () => {
      const idle = jobs.close()
      await pool.close()
      await idle
    },
  }
}
