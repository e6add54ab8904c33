import { Type } from '@sinclair/typebox'
import { AuditEntry } from '../../shared/audit/audit-log.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { PageQuery, pageLimitDefault } from './account-inputs.ts'

const Filter = Type.Optional(Type.String({ minLength: 1, maxLength: 254 }))

/** Reads the audit log, a page at a time. */
export const listAudit = route({
  method: 'get',
  path: '/api/admin/audit',
  permission: 'admin.audit.read',
  summary: 'Who changed what and when, newest first; filters combine. Long values are cut: `GET /api/admin/audit/{id}` has them.',
  query: ClosedObject({ ...PageQuery, actor: Filter, target: Filter, requestId: Filter }),
  responses: {
    200: ClosedObject({ entries: Type.Array(AuditEntry), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ audit }, { query: { limit = pageLimitDefault, ...query } }) =>
    ok(await audit.listEntries({ ...query, limit })),
})
