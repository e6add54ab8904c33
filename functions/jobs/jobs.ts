import { type TSchema, Type } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { Backup } from '../../shared/domain/backups/backup.ts'
import { Job } from '../../shared/domain/jobs/job.ts'
import { rollbackName } from '../../shared/domain/jobs/rollback.ts'
import { isWithinScope } from '../../shared/domain/permissions/decide-permission.ts'
import { zoneHistoryPermission } from '../../shared/domain/permissions/game-permissions.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ZoneSnapshot } from '../../shared/domain/zones/snapshots/snapshot.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { PageQuery, pageLimitDefault } from '../accounts/users.ts'
import type { HttpDeps } from '../deps.ts'
import { authorise, authoriseAny } from '../http/request/authenticate.ts'
import { noContent, ok, route } from '../http/route.ts'

const Count = Type.Integer({ minimum: 0 })

/** The numbers of a rollback, or of its dry run. */
export const RollbackCounts = ClosedObject({ changes: Count, blocks: Count, columns: Count, skipped: Count })

const JobOf = (kind: string, result: TSchema) =>
  ClosedObject({
    ...Job.properties,
    kind: Type.Literal(kind),
    result: Type.Optional({ ...result, description: 'The result; for a job that was cut short, the work done until then.' }),
  })

export const PregenJob = JobOf(
  'pregen',
  ClosedObject({ columns: Count, generated: Type.Integer({ minimum: 0, description: 'New columns.' }) }),
)
export const RollbackJob = JobOf('rollback', RollbackCounts)
export const SnapshotJob = JobOf('snapshot', ZoneSnapshot)
export const RestoreJob = JobOf('restore', ClosedObject({ blocks: Count }))
export const BackupJob = JobOf('backup', Backup)
export const BackupVerifyJob = JobOf('verify-backup', Backup)

export const ImportWorldJob = JobOf('import-world', ClosedObject({ world: WorldName, columns: Count }))

/** A job as clients see it: its kind tells the type of its result. */
export const JobView = Type.Union([PregenJob, RollbackJob, SnapshotJob, RestoreJob, BackupJob, BackupVerifyJob, ImportWorldJob])

export const listJobs = route({
  method: 'get',
  path: '/api/admin/jobs',
  permission: 'admin.jobs.read',
  operationId: 'listJobs',
  summary: 'Work that takes longer than a request, newest first, with its progress.',
  query: ClosedObject(PageQuery),
  responses: {
    200: ClosedObject({ jobs: Type.Array(JobView), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ jobs }, { query: { limit = pageLimitDefault, ...query } }) => ok(await jobs.listJobs({ ...query, limit })),
})

/** Permissions of the routes that start jobs. */
const jobPermissions = [
  'admin.jobs.read',
  'admin.worlds.write',
  'admin.backups.write',
  'admin.history.write',
  'admin.instances.write',
] as const

const JobParams = ClosedObject({ id: Type.String({ minLength: 1, maxLength: 64 }) })

/** Permissions that a rollback may have been started with. */
const rollbackPermissions = [zoneHistoryPermission, 'admin.history.write', 'command.rollback'] as const

/** Whether the job is a rollback that the caller started, perhaps with `zone.history` in one zone only. */
const isOwnRollback = async ({ jobs }: Pick<HttpDeps, 'jobs'>, { playerId, rules }: Actor, id: string): Promise<boolean> => {
  if (!rollbackPermissions.some((permission) => isWithinScope(rules, permission))) return false
  try {
    const { kind, by } = await jobs.getJob(id)
    return kind === rollbackName && by === playerId
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return false
    throw error
  }
}

export const getJob = route({
  method: 'get',
  path: '/api/admin/jobs/:id',
  permission: 'signed-in',
  operationId: 'getJob',
  privilege: 'admin.jobs.read',
  summary: 'One job: its state, progress and result. Needs admin.jobs.read, except for your own rollbacks.',
  params: JobParams,
  responses: { 200: JobView },
  problems: ['missing-permission', 'password-sign-in-needed', 'not-found'],
  handle: async (deps, { params: { id }, actor }) => {
    if (!(await isOwnRollback(deps, actor, id))) authorise(actor, 'admin.jobs.read')
    return ok(await deps.jobs.getJob(id))
  },
})

export const cancelJob = route({
  method: 'delete',
  path: '/api/admin/jobs/:id',
  permission: 'signed-in',
  operationId: 'cancelJob',
  privilege: 'admin.jobs.read',
  summary:
    'Cancel a job. A running one stops within a second or two and keeps what it has done so far. One that has ended does not change. Needs the permission that started it, except for your own rollbacks.',
  params: JobParams,
  responses: { 204: 'The job is cancelled, or will be soon.' },
  problems: ['missing-permission', 'password-sign-in-needed', 'not-found'],
  handle: async (deps, { params: { id }, actor }) => {
    const { jobs } = deps
    if (!(await isOwnRollback(deps, actor, id))) {
      // Ids stay hidden from callers without a permission to start jobs.
      authoriseAny(actor, jobPermissions)
      authorise(actor, await jobs.permissionOf(id))
    }
    await jobs.cancel(actor, id)
    return noContent
  },
})
