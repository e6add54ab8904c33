import { Type } from '@sinclair/typebox'
import { AccountView, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { listSeenAccounts, type SeenAccount } from '../../shared/domain/accounts/store/list-seen-accounts.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { PageQuery, pageLimitDefault } from './account-inputs.ts'

export const ListedAccount = ClosedObject({
  ...AccountView.properties,
  lastSeenAt: Type.Optional(Type.String({ format: 'date-time', description: 'The last sign-in; absent if none was recorded.' })),
  nameKey: Type.Optional(
    Type.String({ description: 'Only with `sharesName`. Equal for accounts whose display names look alike.' }),
  ),
})

const viewSeen = ({ account, lastSeenAt, nameKey }: SeenAccount, nowMs: number) => ({
  ...viewAccountAt(account, nowMs),
  ...(lastSeenAt !== undefined && { lastSeenAt }),
  ...(nameKey !== undefined && { nameKey }),
})

export const listUsers = route({
  method: 'get',
  path: '/api/admin/users',
  permission: 'admin.users.read',
  operationId: 'listAccounts',
  summary:
    'Accounts by email, with their last sign-in. `q` searches email and display name. `inactiveSince` returns older accounts without a sign-in since then. `sharesName=true` returns accounts whose display name looks like that of another account. Such a page may be short or empty and still have a cursor.',
  query: ClosedObject({
    q: Type.Optional(Type.String({ maxLength: 254 })),
    inactiveSince: Type.Optional(Type.String({ format: 'date-time' })),
    sharesName: Type.Optional(
      Type.Boolean({ description: 'Only accounts with a display name that looks like that of another account.' }),
    ),
    ...PageQuery,
  }),
  responses: {
    200: ClosedObject({ users: Type.Array(ListedAccount), nextCursor: Type.Optional(Type.String()) }),
  },
  problems: ['accounts-unreadable'],
  handle: async (
    { accountStore, store, clock },
    { query: { q, limit = pageLimitDefault, cursor, inactiveSince, sharesName = false } },
  ) => {
    const { accounts, nextCursor } = await listSeenAccounts(
      { accountStore, store },
      {
        limit,
        sharesName,
        ...(inactiveSince !== undefined && { inactiveSinceMs: Date.parse(inactiveSince) }),
        ...(q === undefined ? {} : { text: q }),
        ...(cursor === undefined ? {} : { cursor }),
      },
    )
    return ok({ users: accounts.map((seen) => viewSeen(seen, clock.now())), ...(nextCursor === undefined ? {} : { nextCursor }) })
  },
})
