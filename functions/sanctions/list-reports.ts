import { Type } from '@sinclair/typebox'
import { Report, ReportState } from '../../shared/domain/sanctions/reports/report.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { PageQuery, pageLimitDefault } from '../accounts/account-inputs.ts'
import { ok, route } from '../http/route.ts'
import { findNames, Names } from './find-names.ts'

export const listReports = route({
  method: 'get',
  path: '/api/admin/reports',
  permission: 'admin.sanctions.read',
  operationId: 'listReports',
  summary: 'Reports of players, newest first, with their last chat lines and the place.',
  query: ClosedObject({ ...PageQuery, state: Type.Optional(ReportState) }),
  responses: {
    200: ClosedObject({ reports: Type.Array(Report), names: Names, nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ reports, accountStore }, { query: { limit = pageLimitDefault, ...query } }) => {
    const page = await reports.listReports({ ...query, limit })
    const people = page.reports.flatMap(({ by, about, closedBy }) => [by, about, closedBy])
    return ok({ ...page, names: await findNames({ accountStore }, people) })
  },
})
