import { Type } from '@sinclair/typebox'
import { AccountView, accountEtag, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { created, route } from '../http/route.ts'
import { ForceName, GroupNames } from './account-inputs.ts'

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
