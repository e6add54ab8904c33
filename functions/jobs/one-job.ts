import { Type } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { rollbackName } from '../../shared/domain/jobs/rollback.ts'
import { isWithinScope } from '../../shared/domain/permissions/decide-permission.ts'
import { zoneHistoryPermission } from '../../shared/domain/permissions/game-permissions.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { authorise, authoriseAny } from '../http/request/authenticate.ts'
import { noContent, ok, route } from '../http/route.ts'
import { JobView } from './job-view.ts'

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
