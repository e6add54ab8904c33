import { Type } from '@sinclair/typebox'
import { normalizeEmail } from '../../shared/domain/accounts/email.ts'
import { AuditEntry } from '../../shared/domain/audit/audit-log.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { PageQuery, pageLimitDefault } from './users.ts'

const Filter = Type.Optional(Type.String({ minLength: 1, maxLength: 254 }))

/** An email in the form that accounts store. Other names do not change. */
const asKept = (text: string): string => normalizeEmail(text) ?? text

export const listAudit = route({
  method: 'get',
  path: '/api/admin/audit',
  permission: 'admin.audit.read',
  operationId: 'listAuditEntries',
  summary:
    'Who changed what and when, newest first. Filters combine. Long values are cut: `GET /api/admin/audit/{id}` returns them whole.',
  query: ClosedObject({ ...PageQuery, actor: Filter, target: Filter, requestId: Filter }),
  responses: {
    200: ClosedObject({ entries: Type.Array(AuditEntry), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ audit }, { query: { limit = pageLimitDefault, actor, target, ...query } }) =>
    ok(
      await audit.listEntries({
        ...query,
        ...(actor !== undefined && { actor: asKept(actor) }),
        ...(target !== undefined && { target: asKept(target) }),
        limit,
      }),
    ),
})
