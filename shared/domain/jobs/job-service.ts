import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Ids, isUuid } from '../../kernel/ids.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { listByTime } from '../../platform/storage/list-by-time.ts'
import { putWrite, type Store, type StoredRecord, type Write } from '../../platform/storage/store.ts'
import { createTimeOrderedIds } from '../../platform/storage/time-ordered-ids.ts'
import type { Actor } from '../accounts/actor.ts'
import { type AuditActor, createAuditEntry } from '../audit/audit-entry.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import { isOver, type Job, jobRecords, openJobs, type StoredJob, viewJob } from './job.ts'

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

type JobServiceDeps = {
  readonly store: Store
  readonly events: EventBus
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

/** A queued job that a stopping node put back has already done some work. */
const describeCancelled = ({ progress, kept, result, detail }: StoredJob): string =>
  progress > 0 || kept !== undefined || result !== undefined ? `It was cancelled. ${detail}` : 'It was cancelled before it began.'

/** The maximum number of open jobs of one place. */
const openJobsMax = 20
/** Jobs that are kept after they end. */
const jobsKeptMax = 200

const attemptsMax = 10

const jobMissing = (): AppError => new AppError('not-found', 'not-found', 'There is no job with that id.')

const tooMany = (): AppError =>
  new AppError(
    'conflict',
    'too-many-jobs',
    `${openJobsMax} jobs are already waiting or running for this world. Wait for one to finish, or cancel one.`,
  )

const openId = ({ place, id }: StoredJob): string => `${place}/${id}`

/** The writes that replace a stored job. */
export const jobWrites = (before: StoredRecord<StoredJob> | undefined, after: StoredJob): readonly Write[] => [
  putWrite(jobRecords, after.id, after, { ifVersion: before?.version ?? null }),
  isOver(after) ? { kind: 'delete', collection: openJobs.name, id: openId(after) } : putWrite(openJobs, openId(after), {}),
]

/** Deletes the oldest jobs that have ended. */
const thinJobs = async (store: Pick<Store, 'list' | 'delete'>): Promise<void> => {
  const newest = { limit: jobsKeptMax, order: 'descending' } as const
  let { nextCursor: cursor } = await store.list(jobRecords, newest)
  while (cursor !== undefined) {
    const page = await store.list(jobRecords, { ...newest, cursor })
    for (const { id, value } of page.records) if (isOver(value)) await store.delete(jobRecords, id)
    cursor = page.nextCursor
  }
}

export const createJobService = (deps: JobServiceDeps): JobService => {
  const { store, events, clock } = deps
  const newId = createTimeOrderedIds(deps)
  const nowText = () => new Date(clock.now()).toISOString()

  const getRecord = async (id: string): Promise<StoredRecord<StoredJob>> => {
    const found = isUuid(id) ? await store.get(jobRecords, id.toLowerCase()) : undefined
    if (found === undefined) throw jobMissing()
    return found
  }

  const tryCancel = async (actor: Parameters<JobService['cancel']>[0], id: string): Promise<void> => {
    const before = await getRecord(id)
    const job = before.value
    if (isOver(job) || job.isCancelWanted) return
    const after: StoredJob =
      job.state === 'queued'
        ? { ...job, state: 'cancelled', finishedAt: nowText(), detail: describeCancelled(job) }
        : { ...job, isCancelWanted: true }
    const { kind, detail } = job
    const cancelled = { id: job.id, kind, detail }
    const change = { action: 'job.cancel', target: job.id, before: cancelled, after: null }
    await store.commit([...jobWrites(before, after), ...auditWrites(createAuditEntry(deps, actor, change))])
    await events.publish('jobs-changed', { place: job.place })
  }

  return {
    listJobs: async ({ limit, cursor }) => {
      const { found, ...more } = await listByTime(store, jobRecords, { prefix: '', limit, cursor, matches: () => true })
      return { jobs: found.map(viewJob), ...more }
    },
    getJob: async (id) => viewJob((await getRecord(id)).value),
    listOpen: async (place) => {
      const { records } = await store.list(openJobs, { prefix: `${place}/`, limit: openJobsMax })
      const found = await Promise.all(records.map(({ id }) => store.get(jobRecords, id.slice(place.length + 1))))
      return found.flatMap((record) => record?.value ?? []).filter((job) => !isOver(job))
    },
    permissionOf: async (id) => (await getRecord(id)).value.permission,
    start: async (actor, { kind, place, world, zone, input, permission, detail, audit }) => {
      const open = await store.list(openJobs, { prefix: `${place}/`, limit: openJobsMax })
      if (open.records.length >= openJobsMax) throw tooMany()
      const job: StoredJob = {
        id: newId(),
        kind,
        state: 'queued',
        progress: 0,
        detail,
        by: actor.playerId,
        ...(world !== undefined && { world }),
        ...(zone !== undefined && { zone }),
        startedAt: nowText(),
        place,
        permission,
        input,
      }
      const { action, target, after } = audit
      const facts = typeof after === 'object' ? after : {}
      const entry = createAuditEntry(deps, actor, { action, target, before: null, after: { job: job.id, ...facts } })
      await store.commit([...jobWrites(undefined, job), ...auditWrites(entry)])
      await events.publish('jobs-changed', { place })
      await thinJobs(store)
      return viewJob(job)
    },
    cancel: async (actor, id) => {
      for (let attempts = 1; ; attempts += 1)
        try {
          return await tryCancel(actor, id)
        } catch (error) {
          // The runner has just written progress.
          if (!(error instanceof AppError && error.slug === 'conflict' && attempts < attemptsMax)) throw error
        }
    },
  }
}
