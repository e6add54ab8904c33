import { Type } from '@sinclair/typebox'
import { Report, ReportState } from '../../shared/domain/sanctions/reports/report.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { PageQuery, pageLimitDefault } from '../accounts/account-inputs.ts'
import { ok, route } from '../http/route.ts'

export const listReports = route({
  method: 'get',
  path: '/api/admin/reports',
  permission: 'admin.sanctions.read',
  summary: 'Reports of players, newest first, with their last chat lines and the place.',
  query: ClosedObject({ ...PageQuery, state: Type.Optional(ReportState) }),
  responses: {
    200: ClosedObject({ reports: Type.Array(Report), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ reports }, { query: { limit = pageLimitDefault, ...query } }) =>
    ok(await reports.listReports({ ...query, limit })),
})
