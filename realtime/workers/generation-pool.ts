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
   * Generates the encoded record of a new column. Requests with the smallest `distance()` come first. Rejects with an AbortError
   * when `signal` aborts, which costs nothing before the start. Rejects with AppError `unavailable` on failure.
   */
  generate(pos: ChunkPos, wanted: Wanted): Promise<Uint8Array>
  /** Rejects all unfinished requests, and resolves when the threads have ended. */
  close(): Promise<void>
}

export type GenerationPoolOptions = GenerationWorkerData & {
  /** The number of threads. By default one less than the number of cores, from 1 to 4. */
  readonly threads?: number
  /** The module of the threads, which exports `generateColumn`. Our own by default. */
  readonly worker?: URL
}

const threadsMax = 4
/** One job that runs, and one ready to follow. */
const jobsPerThread = 2

/**
 * Worker threads that generate and encode the columns of one world. A column is tried once more if its thread dies or throws.
 * Throws AppError `unavailable`, slug `world-unusable`, if this server cannot generate the terrain of the world.
 */
export const createGenerationPool = ({
  world: { seed, generator, settings },
  blocks,
  threads = Math.min(threadsMax, Math.max(1, availableParallelism() - 1)),
  worker = moduleBeside('generation-worker', import.meta.url),
}: GenerationPoolOptions): GenerationPool => {
  // Fails early if the terrain cannot be generated, instead of for each column.
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
        throw new AppError('unavailable', 'service-unavailable', 'The terrain there could not be generated.', { cause })
      }
    },
    close: async () => {
      const idle = jobs.close()
      await pool.close()
      await idle
    },
  }
}
