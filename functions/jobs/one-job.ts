import { Type } from '@sinclair/typebox'
import { Job } from '../../shared/jobs/job.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
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

/** Shows one job. */
export const getJob = route({
  method: 'get',
  path: '/api/admin/jobs/:id',
  permission: 'admin.jobs.read',
  summary: 'One job: its state, how far it is, and what came of it.',
  params: JobParams,
  responses: { 200: Job },
  problems: ['not-found'],
  handle: async ({ jobs }, { params: { id } }) => ok(await jobs.getJob(id)),
})

/** Cancels one job. */
export const cancelJob = route({
  method: 'delete',
  path: '/api/admin/jobs/:id',
  permission: 'signed-in',
  summary:
    'Cancel a job, within a second or two where it runs; what it did until then stays. One that is over stays as it is. Needs the permission of what started it.',
  params: JobParams,
  responses: { 204: 'It is cancelled, or will be.' },
  problems: ['missing-permission', 'password-sign-in-needed', 'not-found'],
  handle: async ({ jobs }, { params: { id }, actor }) => {
    // Who may start nothing learns nothing of ids.
    authoriseAny(actor, jobPermissions)
    authorise(actor, await jobs.permissionOf(id))
    await jobs.cancel(actor, id)
    return noContent
  },
})
