import { once } from 'node:events'
import type { ResourceLimits, Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'

export type ThreadPoolOptions = {
  /** The module that each thread runs, from `moduleBeside`. */
  readonly module: URL
  /** The function of the module that runs a job, unless the job names another one. */
  readonly name: string
  readonly minThreads?: number
  readonly maxThreads: number
  /** Threads beyond `minThreads` end after being idle for this long; at once when absent. */
  readonly idleMs?: number
  readonly workerData?: unknown
  readonly resourceLimits?: ResourceLimits
}

export type ThreadPool<Job> = {
  /**
   * Runs a job in a thread. The type of the answer is not checked. Errors of the job are thrown here. If `signal` is aborted, ends the
   * thread and throws an AbortError.
   */
  run<Answer>(job: Job, options?: { readonly name?: string; readonly signal?: AbortSignal }): Promise<Answer>
  /** Rejects unfinished jobs, and resolves when the threads have ended. */
  close(): Promise<void>
}

/** Lets the game loop and requests go first on a machine with few cores. Works per thread on Linux only. */
const niceIncrement = process.platform === 'linux' ? 10 : 0

/** The threads of all pools that are still loading their modules. */
const starting = new Map<Worker, Promise<unknown>>()

/**
 * Resolves when no thread is loading its modules. Node 20 aborts the process if a thread is ended during that, so pools and the process
 * must wait for it.
 */
export const whenThreadsStarted = async (): Promise<void> => {
  while (starting.size > 0) await Promise.all(starting.values())
}

/** Threads of low priority for jobs. */
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
  const watched = new WeakSet<Worker>()

  /** The first message of a thread means that it has loaded. A thread that cannot load ends. */
  const watchStarts = (): void => {
    for (const thread of pool.threads) {
      if (watched.has(thread)) continue
      watched.add(thread)
      const started = Promise.race([once(thread, 'message'), new Promise((resolve) => thread.once('exit', resolve))])
      starting.set(
        thread,
        started.catch(() => undefined).finally(() => starting.delete(thread)),
      )
    }
  }
  watchStarts()
  // An ended thread is replaced at once, or by the next job.
  pool.on('workerDestroy', () => queueMicrotask(watchStarts))
  // An idle thread that dies is replaced by the next job. There is no caller to notify.
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
