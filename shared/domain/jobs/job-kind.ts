import type { Job } from './job.ts'

/** How far a job is. */
export type JobProgress = {
  /** 0 to 1. */
  readonly progress: number
  /** What is done, for people: it is what a job that is cut short ends with. */
  readonly detail: string
  /** What is done, for programs: the result of a job that is cut short. */
  readonly result?: unknown
}

/** What a kind of job works with. */
export type JobContext = {
  readonly job: Pick<Job, 'id' | 'by' | 'startedAt'>
  /** As it was given to `start`; from the store, so to be parsed. */
  readonly input: unknown
  /** What `keep` kept last, when an earlier run was cut short; from the store, so to be parsed. */
  readonly kept: unknown
  /** Aborted when it is cancelled, and when another process is to go on with it: throw soon then. */
  readonly signal: AbortSignal
  /** Free to call as often as one likes: it is written once a second. */
  tell(told: JobProgress): void
  /** Durable when it resolves: a later run of the job begins with it. Throws when this process does not run the job any more. */
  keep(kept: unknown, told?: JobProgress): Promise<void>
}

/** A kind of job, and all that there is of it. */
export type JobKind = {
  readonly kind: string
  /** Jobs of one lane and place run one after another. */
  readonly lane: string
  /** After a crash: run it again, with what it kept, or say that it failed with what was done. */
  readonly afterCrash: 'go-on' | 'fail'
  /** Does it. An AppError's public detail is told as the reason of a failure, nothing else is. */
  run(context: JobContext): Promise<{ readonly detail: string; readonly result?: unknown }>
}
