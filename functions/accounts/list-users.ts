import { Type } from '@sinclair/typebox'
import { AccountView, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { listSeenAccounts, type SeenAccount } from '../../shared/domain/accounts/store/list-seen-accounts.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { PageQuery, pageLimitDefault } from './account-inputs.ts'

export const ListedAccount = ClosedObject({
  ...AccountView.properties,
  lastSeenAt: Type.Optional(Type.String({ format: 'date-time', description: 'The last sign-in; absent if none was recorded.' })),
})

const viewSeen = ({ account, lastSeenAt }: SeenAccount, nowMs: number) => ({
  ...viewAccountAt(account, nowMs),
  ...(lastSeenAt !== undefined && { lastSeenAt }),
})

export const listUsers = route({
  method: 'get',
  path: '/api/admin/users',
  permission: 'admin.users.read',
  operationId: 'listAccounts',
  summary:
    'Accounts by email, with their last sign-in. `q` searches email and display name. `inactiveSince` returns older accounts without a sign-in since then. Such a page may be short or empty and still have a cursor.',
  query: ClosedObject({
    q: Type.Optional(Type.String({ maxLength: 254 })),
    inactiveSince: Type.Optional(Type.String({ format: 'date-time' })),
    ...PageQuery,
  }),
  responses: {
    200: ClosedObject({ users: Type.Array(ListedAccount), nextCursor: Type.Optional(Type.String()) }),
  },
  problems: ['accounts-unreadable'],
  handle: async ({ accountStore, store, clock }, { query: { q, limit = pageLimitDefault, cursor, inactiveSince } }) => {
    const { accounts, nextCursor } = await listSeenAccounts(
      { accountStore, store },
      {
        limit,
        ...(inactiveSince !== undefined && { inactiveSinceMs: Date.parse(inactiveSince) }),
        ...(q === undefined ? {} : { text: q }),
        ...(cursor === undefined ? {} : { cursor }),
      },
    )
    return ok({ users: accounts.map((seen) => viewSeen(seen, clock.now())), ...(nextCursor === undefined ? {} : { nextCursor }) })
  },
})
