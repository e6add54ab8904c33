import { Type } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { Job } from '../../shared/domain/jobs/job.ts'
import { rollbackName } from '../../shared/domain/jobs/rollback.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { authorise, authoriseAny } from '../http/request/authenticate.ts'
import { noContent, ok, route } from '../http/route.ts'

/** Of what starts jobs. */
const jobPermissions = [
  'admin.jobs.read',
  'admin.worlds.write',
  'admin.backups.write',
  'admin.history.write',
  'admin.instances.write',
] as const

const JobParams = ClosedObject({ id: Type.String({ minLength: 1, maxLength: 64 }) })

/** Whether it is a rollback that they started themselves, perhaps by `zone.history` in one zone alone. */
const isOwnRollback = async ({ jobs }: Pick<HttpDeps, 'jobs'>, { playerId }: Actor, id: string): Promise<boolean> => {
  try {
    const { kind, by } = await jobs.getJob(id)
    return kind === rollbackName && by === playerId
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return false
    throw error
  }
}

/** Shows one job. */
export const getJob = route({
  method: 'get',
  path: '/api/admin/jobs/:id',
  permission: 'signed-in',
  privilege: 'admin.jobs.read',
  summary: 'One job: its state, how far it is, and what came of it. Needs admin.jobs.read, but for a rollback of one’s own.',
  params: JobParams,
  responses: { 200: Job },
  problems: ['missing-permission', 'password-sign-in-needed', 'not-found'],
  handle: async (deps, { params: { id }, actor }) => {
    if (!(await isOwnRollback(deps, actor, id))) authorise(actor, 'admin.jobs.read')
    return ok(await deps.jobs.getJob(id))
  },
})

/** Cancels one job. */
export const cancelJob = route({
  method: 'delete',
  path: '/api/admin/jobs/:id',
  permission: 'signed-in',
  privilege: 'admin.jobs.read',
  summary:
    'Cancel a job, within a second or two where it runs; what it did until then stays. One that is over stays as it is. Needs the permission of what started it, but for a rollback of one’s own.',
  params: JobParams,
  responses: { 204: 'It is cancelled, or will be.' },
  problems: ['missing-permission', 'password-sign-in-needed', 'not-found'],
  handle: async (deps, { params: { id }, actor }) => {
    const { jobs } = deps
    if (!(await isOwnRollback(deps, actor, id))) {
      // Who may start nothing learns nothing of ids.
      authoriseAny(actor, jobPermissions)
      authorise(actor, await jobs.permissionOf(id))
    }
    await jobs.cancel(actor, id)
    return noContent
  },
})
