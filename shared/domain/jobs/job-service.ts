import type { AuditActor } from '../accounts/account-audit.ts'
import type { Actor } from '../accounts/actor.ts'
import type { Job, StoredJob } from './job.ts'

/** Who starts or cancels a job. */
export type JobActor = AuditActor & Pick<Actor, 'playerId'>

/** The operator at the machine, for the command line. */
export const operatorActor = (requestId: string): JobActor => ({ email: 'operator', playerId: 'operator', via: 'cli', requestId })

export type NewJob = {
  /** The name of its kind. */
  readonly kind: string
  /** `worldPlace(id)`, or `data` for the data folder. */
  readonly place: string
  /** Plain data that its kind understands. */
  readonly input: unknown
  /** What it takes to cancel it. */
  readonly permission: `admin.${string}`
  /** What it waits for, for people. */
  readonly detail: string
  /** The audit entry of its start. */
  readonly audit: { readonly action: string; readonly target: string; readonly after: unknown }
}

export type JobPage = { readonly jobs: readonly Job[]; readonly nextCursor?: string }

/** Durable records of work that takes longer than a request; runners do it. Any process may ask. */
export type JobService = {
  /** Newest first. Throws AppError `invalid` for a cursor that no page gave. */
  listJobs(query: { readonly limit: number; readonly cursor?: string }): Promise<JobPage>
  /** Throws AppError `not-found`. */
  getJob(id: string): Promise<Job>
  /** Those of a place that wait or run, with what they are to do. */
  listOpen(place: string): Promise<readonly StoredJob[]>
  /** What it takes to cancel it; throws AppError `not-found`. */
  permissionOf(id: string): Promise<`admin.${string}`>
  /** Durable with its audit entry when it resolves; throws AppError `conflict`, slug `too-many-jobs`. */
  start(actor: JobActor, job: NewJob): Promise<Job>
  /** One that waits is cancelled at once, one that runs within a second or two; one that is over stays as it is. */
  cancel(actor: JobActor, id: string): Promise<void>
}
