import { noContent, route } from '../http/route.ts'
import { AccountParams } from './account-inputs.ts'

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
