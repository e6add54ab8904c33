import { availableParallelism } from 'node:os'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createThreadPool } from '../../shared/kernel/thread-pool.ts'
import { moduleBeside } from '../../shared/platform/process/module-beside.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'
import { createDistanceBuckets } from './distance-buckets.ts'
import type { GenerationWorkerData } from './generation-worker-data.ts'

/** The priority of a job: the smallest `distance()` comes first. `signal` cancels it. */
type Wanted = { readonly distance: () => number; readonly signal: AbortSignal }

type NearestFirst<Job, Result> = {
  /**
   * Rejects with an AbortError when it is aborted, which costs nothing before the start. Rejects with the second error if it fails
   * twice.
   */
  submit(job: Job, wanted: Wanted): Promise<Result>
  /** Rejects all unfinished jobs with AppError `unavailable`. Resolves when no job runs. */
  close(): Promise<void>
}

type Request<Job, Result> = {
  readonly job: Job
  readonly distance: () => number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  tries: number
}

const triesMax = 2
/** The number of waiting requests that are measured again before a job starts. */
const measuredPerJob = 32
const createStopping = () =>
  new AppError('unavailable', 'service-unavailable', 'The server is stopping and does not generate more terrain.')
const createAborted = () => new DOMException('The request was cancelled.', 'AbortError')

/** Runs at most `slots` jobs at a time. A free slot takes the nearest job. A failed job is tried once more. */
const createNearestFirst = <Job, Result>({
  run,
  slots,
}: {
  readonly run: (job: Job) => Promise<Result>
  readonly slots: number
}): NearestFirst<Job, Result> => {
  const queue = createDistanceBuckets<Request<Job, Result>>(({ distance }) => distance())
  /** Requests without an answer. An aborted request has its answer, although its job may still run. */
  const unanswered = new Set<Request<Job, Result>>()
  const running = new Set<Promise<void>>()
  let closed = false

  const tryJob = async (request: Request<Job, Result>): Promise<void> => {
    request.tries += 1
    try {
      request.resolve(await run(request.job))
    } catch (error) {
      if (request.tries < triesMax && unanswered.has(request)) queue.add(request)
      else request.reject(error)
    }
  }
  const fillSlots = () => {
    while (running.size < slots) {
      // Distances change while requests wait. Few of them do.
      queue.refresh(measuredPerJob)
      const request = queue.take()
      if (request === undefined) return
      const job = tryJob(request).then(() => {
        running.delete(job)
        fillSlots()
      })
      running.add(job)
    }
  }

  const open = (request: Request<Job, Result>, signal: AbortSignal) => {
    unanswered.add(request)
    queue.add(request)
    // Later than other submissions of this moment, so that the nearest job comes first.
    queueMicrotask(fillSlots)
    const abort = () => {
      queue.delete(request)
      unanswered.delete(request)
      request.reject(createAborted())
    }
    signal.addEventListener('abort', abort)
    return () => {
      unanswered.delete(request)
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    submit: async (job, { distance, signal }) => {
      if (closed) throw createStopping()
      if (signal.aborted) throw createAborted()
      let finish = () => {}
      try {
        return await new Promise<Result>((resolve, reject) => {
          finish = open({ job, distance, resolve, reject, tries: 0 }, signal)
        })
      } finally {
        finish()
      }
    },
    close: async () => {
      closed = true
      for (const request of unanswered) {
        queue.delete(request)
        request.reject(createStopping())
      }
      unanswered.clear()
      await Promise.allSettled(running)
    },
  }
}

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
