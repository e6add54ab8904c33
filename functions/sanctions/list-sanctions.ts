import { Type } from '@sinclair/typebox'
import { parseEmail } from '../../shared/domain/accounts/email.ts'
import { Sanction, SanctionKind } from '../../shared/domain/sanctions/sanction.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { PageQuery, pageLimitDefault } from '../accounts/account-inputs.ts'
import { ok, route } from '../http/route.ts'

export const listSanctions = route({
  method: 'get',
  path: '/api/admin/sanctions',
  permission: 'admin.sanctions.read',
  summary: 'Bans, mutes and warnings, newest first. Filters combine. `active` selects those that apply now.',
  query: ClosedObject({
    ...PageQuery,
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
    kind: Type.Optional(SanctionKind),
    active: Type.Optional(Type.Boolean()),
  }),
  responses: {
    200: ClosedObject({ sanctions: Type.Array(Sanction), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ sanctions }, { query: { limit = pageLimitDefault, email, ...query } }) =>
    ok(await sanctions.listSanctions({ ...query, limit, ...(email !== undefined && { email: parseEmail(email) }) })),
})
