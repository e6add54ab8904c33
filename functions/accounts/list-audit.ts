import { Type } from '@sinclair/typebox'
import { normalizeEmail } from '../../shared/domain/accounts/email.ts'
import { AuditEntry } from '../../shared/domain/audit/audit-log.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { readTimeRange, timeRangeOf } from '../http/time-range.ts'
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
    'The changes by admins with their actor and time, newest first. Filters combine. A search reads at most 2,000 entries at once, so a page may be short or empty and still have a cursor. Two filters count as a search. Long values are cut: `GET /api/admin/audit/{id}` returns them whole.',
  query: ClosedObject({
    ...PageQuery,
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Words in any order and letter case. Each occurs in the actor, the action, the target, or the name or kind of the changed object.',
      }),
    ),
    actor: Filter,
    target: Filter,
    requestId: Filter,
    ...timeRangeOf('entries'),
  }),
  responses: {
    200: ClosedObject({ entries: Type.Array(AuditEntry), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ audit }, { query: { limit = pageLimitDefault, q, actor, target, from, to, ...query } }) =>
    ok(
      await audit.listEntries({
        ...query,
        ...readTimeRange({ from, to }),
        text: q,
        ...(actor !== undefined && { actor: asKept(actor) }),
        ...(target !== undefined && { target: asKept(target) }),
        limit,
      }),
    ),
})
