import { Type } from '@sinclair/typebox'
import { AccountView, viewAccountAt } from '../../shared/accounts/account-view.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { PageQuery, pageLimitDefault } from './account-inputs.ts'

/** Lists accounts by email, a page at a time. */
export const listUsers = route({
  method: 'get',
  path: '/api/admin/users',
  permission: 'admin.users.read',
  summary: 'Accounts, ordered by email; `q` is looked for in email and display name.',
  query: ClosedObject({ q: Type.Optional(Type.String({ maxLength: 254 })), ...PageQuery }),
  responses: {
    200: ClosedObject({ users: Type.Array(AccountView), nextCursor: Type.Optional(Type.String()) }),
  },
  problems: ['accounts-unreadable'],
  handle: async ({ accountStore, clock }, { query: { q, limit = pageLimitDefault, cursor } }) => {
    const { accounts, nextCursor } = await accountStore.listAccounts({
      limit,
      ...(q === undefined ? {} : { text: q }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    return ok({
      users: accounts.map((account) => viewAccountAt(account, clock.now())),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    })
  },
})
