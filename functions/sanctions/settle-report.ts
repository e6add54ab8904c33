import { Type } from '@sinclair/typebox'
import { Report, ReportState } from '../../shared/domain/sanctions/reports/report.ts'
import { noteLengthMax } from '../../shared/domain/sanctions/sanction-input.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

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
