import { Type } from '@sinclair/typebox'
import { parseEmail } from '../../shared/domain/accounts/email.ts'
import { Sanction, SanctionKind } from '../../shared/domain/sanctions/sanction.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { PageQuery, pageLimitDefault } from '../accounts/account-inputs.ts'
import { ok, route } from '../http/route.ts'
import { findNames, Names } from './find-names.ts'

export const listSanctions = route({
  method: 'get',
  path: '/api/admin/sanctions',
  permission: 'admin.sanctions.read',
  operationId: 'listSanctions',
  summary: 'Bans, mutes and warnings, newest first. Filters combine. `active` selects those that apply now.',
  query: ClosedObject({
    ...PageQuery,
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
    kind: Type.Optional(SanctionKind),
    active: Type.Optional(Type.Boolean()),
  }),
  responses: {
    200: ClosedObject({ sanctions: Type.Array(Sanction), names: Names, nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ sanctions, accountStore }, { query: { limit = pageLimitDefault, email, ...query } }) => {
    const filter = { ...query, limit, ...(email !== undefined && { email: parseEmail(email) }) }
    const page = await sanctions.listSanctions(filter)
    const people = page.sanctions.flatMap(({ email: of, by, endedBy }) => [of, by, endedBy])
    return ok({ ...page, names: await findNames({ accountStore }, people) })
  },
})
