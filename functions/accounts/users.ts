import { Type } from '@sinclair/typebox'
import { AccountView, accountEtag, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { FailedSignIns, findFailedSignIns } from '../../shared/domain/accounts/failed-sign-ins.ts'
import { listSignIns, NotedSignIn } from '../../shared/domain/accounts/sign-in-log.ts'
import { listSeenAccounts, type SeenAccount } from '../../shared/domain/accounts/store/list-seen-accounts.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { created, noContent, ok, route } from '../http/route.ts'

export const AccountParams = Type.Object({ email: Type.String() })

/** A player id. UUIDs are compared without regard to letter case. */
export const PlayerId = Type.String({ format: 'uuid', description: 'A playerId.' })

/** Names of groups, each once. */
const GroupNames = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 100, uniqueItems: true })

/** Whether the display name may be one that another account has. */
export const ForceName = Type.Optional(
  Type.Boolean({ description: 'Allows a display name that another account has, but never a reserved one.' }),
)

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
} as const

/** Entries of a page when the caller gives no limit. */
export const pageLimitDefault = 50

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

export const createUser = route({
  method: 'post',
  path: '/api/admin/users',
  permission: 'admin.users.write',
  operationId: 'createAccount',
  hasEtag: true,
  summary: 'Add an account. Without groups it gets the default groups.',
  body: ClosedObject({
    email: Type.String({ description: 'For a new account: at most 254 bytes of UTF-8.' }),
    password: Type.String(),
    displayName: Type.Optional(Type.String()),
    groups: Type.Optional(GroupNames),
    force: ForceName,
  }),
  responses: { 201: AccountView },
  problems: [
    'already-exists',
    'display-name-taken',
    'common-password',
    'unknown-group',
    'beyond-own-permissions',
    'hashing-busy',
    'accounts-unreadable',
  ],
  handle: async ({ accounts, clock }, { body, actor }) => {
    const account = await accounts.createAccount(actor, body)
    const location = `/api/admin/users/${encodeURIComponent(account.email)}`
    return { ...created(viewAccountAt(account, clock.now()), location), etag: accountEtag(account, clock.now()) }
  },
})

export const getUser = route({
  method: 'get',
  path: '/api/admin/users/:email',
  permission: 'admin.users.read',
  operationId: 'getAccount',
  hasEtag: true,
  summary: 'One account, with its entity tag.',
  params: AccountParams,
  responses: { 200: AccountView },
  problems: ['not-found', 'accounts-unreadable'],
  handle: async ({ accounts, clock }, { params }) => {
    const account = await accounts.getAccount(params.email)
    return ok(viewAccountAt(account, clock.now()), accountEtag(account, clock.now()))
  },
})

/** Changes the fields of an account that the body names, and keeps the others. */
export const updateUser = route({
  method: 'put',
  path: '/api/admin/users/:email',
  permission: 'admin.users.write',
  operationId: 'updateAccount',
  hasEtag: true,
  summary:
    'Change email, display name, groups or password. A new password ends all sign-ins of the account. Sanctions follow a new email.',
  params: AccountParams,
  body: ClosedObject(
    {
      email: Type.Optional(Type.String({ description: 'The new address of the account.' })),
      displayName: Type.Optional(Type.String()),
      groups: Type.Optional(GroupNames),
      password: Type.Optional(Type.String()),
      force: ForceName,
    },
    { examples: [{ displayName: 'Ada Lovelace', groups: ['builder'] }] },
  ),
  responses: { 200: AccountView },
  problems: [
    'not-found',
    'stale',
    'already-exists',
    'display-name-taken',
    'common-password',
    'unknown-group',
    'beyond-own-permissions',
    'last-administrator',
    'hashing-busy',
    'accounts-unreadable',
  ],
  handle: async ({ accounts, clock }, { params, body, actor, request }) => {
    const account = await accounts.updateAccount(actor, params.email, body, request.ifMatch)
    return ok(viewAccountAt(account, clock.now()), accountEtag(account, clock.now()))
  },
})

/** Deletes an account with its tokens and its live session. */
export const deleteUser = route({
  method: 'delete',
  path: '/api/admin/users/:email',
  permission: 'admin.users.write',
  operationId: 'deleteAccount',
  summary: 'Delete an account, its tokens and its live session.',
  params: AccountParams,
  responses: { 204: 'The account is deleted.' },
  problems: ['not-found', 'stale', 'beyond-own-permissions', 'last-administrator', 'accounts-unreadable'],
  handle: async ({ accounts }, { params, actor, request }) => {
    await accounts.removeAccount(actor, params.email, request.ifMatch)
    return noContent
  },
})

export const listAccountSignIns = route({
  method: 'get',
  path: '/api/admin/users/:email/sign-ins',
  permission: 'admin.users.read',
  operationId: 'listAccountSignIns',
  summary: 'The last ten sign-ins of an account, newest first, and the wrong passwords since the last verified one.',
  params: AccountParams,
  responses: { 200: ClosedObject({ signIns: Type.Array(NotedSignIn), failed: FailedSignIns }) },
  problems: ['not-found', 'accounts-unreadable'],
  handle: async ({ accounts, store }, { params }) => {
    const { playerId } = await accounts.getAccount(params.email)
    const [signIns, failed] = await Promise.all([listSignIns(store, playerId), findFailedSignIns(store, playerId)])
    return ok({ signIns: [...signIns], failed })
  },
})
