import { Type } from '@sinclair/typebox'
import { AccountView, accountEtag, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { AccountParams, ForceName, GroupNames } from './account-inputs.ts'

/** Changes what the body names of an account, and leaves the rest. */
export const updateUser = route({
  method: 'put',
  path: '/api/admin/users/:email',
  permission: 'admin.users.write',
  summary:
    'Change email, display name, groups or password. A new password ends the tokens of the account; sanctions follow a new email.',
  params: AccountParams,
  body: ClosedObject({
    email: Type.Optional(Type.String({ description: 'The account is at this email from then on.' })),
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
