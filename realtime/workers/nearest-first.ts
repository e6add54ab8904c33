import { AppError } from '../../shared/kernel/errors.ts'
import { createDistanceBuckets } from './distance-buckets.ts'

/** The priority of a job: the smallest `distance()` comes first. `signal` cancels it. */
export type Wanted = { readonly distance: () => number; readonly signal: AbortSignal }

export type NearestFirst<Job, Result> = {
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
export const createNearestFirst = <Job, Result>({
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
