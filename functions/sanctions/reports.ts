import { Type } from '@sinclair/typebox'
import { Report, ReportState } from '../../shared/domain/sanctions/reports/report.ts'
import { noteLengthMax } from '../../shared/domain/sanctions/sanction-input.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { PageQuery, pageLimitDefault } from '../accounts/users.ts'
import { ok, route } from '../http/route.ts'
import { findNames, Names } from './sanctions.ts'

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

/** Closes or reopens a report. */
export const settleReport = route({
  method: 'put',
  path: '/api/admin/reports/:id',
  permission: 'admin.sanctions.write',
  operationId: 'settleReport',
  summary: 'Close or reopen a report, with a note for the staff.',
  params: ClosedObject({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: ClosedObject({ state: ReportState, note: Type.Optional(Type.String({ minLength: 1, maxLength: noteLengthMax })) }),
  responses: { 200: Report },
  problems: ['not-found'],
  handle: async ({ reports }, { params, body, actor }) => ok(await reports.settle(actor, params.id, body)),
})
