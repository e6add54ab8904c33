import type { Actor } from '../accounts/actor.ts'
import type { AuditActor } from '../audit/audit-entry.ts'
import type { Job, StoredJob } from './job.ts'

/** The actor that starts or cancels a job. */
export type JobActor = AuditActor & Pick<Actor, 'playerId'>

/** The operator on the command line. */
export const operatorActor = (requestId: string): JobActor => ({ email: 'operator', playerId: 'operator', via: 'cli', requestId })

export type NewJob = {
  /** The name of the kind. */
  readonly kind: string
  /** `worldPlace(id)`, or `data` for the data folder. */
  readonly place: string
  /** The name of the world that the job concerns. */
  readonly world?: string
  /** The id of the zone that the job concerns. */
  readonly zone?: string
  /** Plain data that the kind understands. */
  readonly input: unknown
  /** The permission needed to cancel the job. */
  readonly permission: `admin.${string}`
  /** What the job waits for, for people. */
  readonly detail: string
  /** The audit entry of its start. */
  readonly audit: { readonly action: string; readonly target: string; readonly after: unknown }
}

export type JobPage = { readonly jobs: readonly Job[]; readonly nextCursor?: string }

/** Durable records of work that takes longer than a request. Any process may use it; runners do the work. */
export type JobService = {
  /** Newest first. Throws AppError `invalid` for an unknown cursor. */
  listJobs(query: { readonly limit: number; readonly cursor?: string }): Promise<JobPage>
  /** Throws AppError `not-found`. */
  getJob(id: string): Promise<Job>
  /** The jobs of a place that wait or run, with their input. */
  listOpen(place: string): Promise<readonly StoredJob[]>
  /** The permission needed to cancel the job. Throws AppError `not-found`. */
  permissionOf(id: string): Promise<`admin.${string}`>
  /** The job is durable with its audit entry when this resolves. Throws AppError `conflict`, slug `too-many-jobs`. */
  start(actor: JobActor, job: NewJob): Promise<Job>
  /** A waiting job is cancelled at once, a running one within a second or two. A job that has ended does not change. */
  cancel(actor: JobActor, id: string): Promise<void>
}
