import type { Job } from './job.ts'

export type JobProgress = {
  /** 0 to 1. */
  readonly progress: number
  /** The work done so far, for people. A job that is cut short ends with this text. */
  readonly detail: string
  /** The work done so far, for programs. It becomes the result of a job that is cut short. */
  readonly result?: unknown
}

/** What the code of a job gets. */
export type JobContext = {
  readonly job: Pick<Job, 'id' | 'by' | 'startedAt'>
  /** The value given to `start`. It comes from the store, so parse it. */
  readonly input: unknown
  /** The value that `keep` stored last, if an earlier run was cut short. It comes from the store, so parse it. */
  readonly kept: unknown
  /** Aborted when the job is cancelled or another process takes it over. Throw soon after. */
  readonly signal: AbortSignal
  /** Reports progress. Call it as often as you like: it is written once a second. */
  tell(told: JobProgress): void
  /** Stores `kept` durably for a later run of the job. Throws if this process no longer runs the job. */
  keep(kept: unknown, told?: JobProgress): Promise<void>
}

/** A kind of job: its name, its lane and its code. */
export type JobKind = {
  readonly kind: string
  /** Jobs of one lane and place run one after another. */
  readonly lane: string
  /** After a crash: run the job again with its `kept` value, or fail it with the work done so far. */
  readonly afterCrash: 'go-on' | 'fail'
  /** Runs the job. The failure of a job shows the public detail of an AppError, and nothing of other errors. */
  run(context: JobContext): Promise<{ readonly detail: string; readonly result?: unknown }>
}
