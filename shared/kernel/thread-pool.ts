import { once } from 'node:events'
import type { ResourceLimits, Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'

export type ThreadPoolOptions = {
  /** The module that each thread runs, from `moduleBeside`. */
  readonly module: URL
  /** The function of that module that takes a job, unless a job names another. */
  readonly name: string
  readonly minThreads?: number
  readonly maxThreads: number
  /** Threads beyond `minThreads` end when they had nothing to do for this long; at once when absent. */
  readonly idleMs?: number
  readonly workerData?: unknown
  readonly resourceLimits?: ResourceLimits
}

export type ThreadPool<Job> = {
  /**
   * The answer of a thread, whose type is that of the module's function and is not checked; what the job throws there is thrown here. With
   * `signal` aborted, an AbortError, and the thread is ended.
   */
  run<Answer>(job: Job, options?: { readonly name?: string; readonly signal?: AbortSignal }): Promise<Answer>
  /** Rejects what is not done, and resolves once the threads are gone. */
  close(): Promise<void>
}

/** The least that lets the game loop and requests go first on a machine with few cores; per thread on Linux only. */
const niceIncrement = process.platform === 'linux' ? 10 : 0

/** Of all pools: threads that still load their modules. */
const starting = new Map<Worker, Promise<unknown>>()

/**
 * Resolves when no thread is loading its modules. Node 20 aborts the whole process where a thread is ended just then, so neither a pool
 * nor the process may end before.
 */
export const whenThreadsStarted = async (): Promise<void> => {
  while (starting.size > 0) await Promise.all(starting.values())
}

/** Threads of low priority that run the jobs they are given. */
export const createThreadPool = <Job>({
  module,
  name,
  minThreads = 0,
  maxThreads,
  idleMs = 0,
  workerData,
  resourceLimits = {},
}: ThreadPoolOptions): ThreadPool<Job> => {
  const pool = new Piscina({
    filename: module.href,
    name,
    execArgv: module.pathname.endsWith('.ts') ? ['--import', 'tsx'] : [],
    minThreads,
    maxThreads,
    idleTimeout: idleMs,
    niceIncrement,
    workerData,
    resourceLimits,
    recordTiming: false,
  })
  const known = new WeakSet<Worker>()

  /** The first message of a thread says that it has loaded. One that cannot load ends. */
  const watchStarts = (): void => {
    for (const thread of pool.threads) {
      if (known.has(thread)) continue
      known.add(thread)
      const started = Promise.race([once(thread, 'message'), new Promise((resolve) => thread.once('exit', resolve))])
      starting.set(
        thread,
        started.catch(() => undefined).finally(() => starting.delete(thread)),
      )
    }
  }
  watchStarts()
  // One that ended is replaced at once, or by the next job.
  pool.on('workerDestroy', () => queueMicrotask(watchStarts))
  // A thread that dies with nothing to do is replaced by the next job: there is nobody to tell.
  pool.on('error', () => undefined)

  return {
    run: (job, options) => {
      const answer = pool.run(job, options)
      watchStarts()
      return answer
    },
    close: async () => {
      await whenThreadsStarted()
      await pool.destroy()
    },
  }
}
