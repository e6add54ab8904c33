import { Type } from '@sinclair/typebox'
import { AccountView, accountEtag, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { AccountParams, ForceName, GroupNames } from './account-inputs.ts'

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
  body: ClosedObject({
    email: Type.Optional(Type.String({ description: 'The new address of the account.' })),
    displayName: Type.Optional(Type.String()),
    groups: Type.Optional(GroupNames),
    password: Type.Optional(Type.String()),
    force: ForceName,
  }),
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
