import { AccountView, accountEtag, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { ok, route } from '../http/route.ts'
import { AccountParams } from './account-inputs.ts'

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
