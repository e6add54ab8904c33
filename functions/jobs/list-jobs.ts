import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { PageQuery, pageLimitDefault } from '../accounts/account-inputs.ts'
import { ok, route } from '../http/route.ts'
import { JobView } from './job-view.ts'

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
