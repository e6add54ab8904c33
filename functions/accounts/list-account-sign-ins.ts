import { Type } from '@sinclair/typebox'
import { listSignIns, NotedSignIn } from '../../shared/accounts/sign-in-log.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { AccountParams } from './account-inputs.ts'

/** When somebody signed in last. */
export const listAccountSignIns = route({
  method: 'get',
  path: '/api/admin/users/:email/sign-ins',
  permission: 'admin.users.read',
  summary: 'The last ten sign-ins of an account, newest first.',
  params: AccountParams,
  responses: { 200: ClosedObject({ signIns: Type.Array(NotedSignIn) }) },
  problems: ['not-found', 'accounts-unreadable'],
  handle: async ({ accounts, store }, { params }) => {
    const { playerId } = await accounts.getAccount(params.email)
    return ok({ signIns: [...(await listSignIns(store, playerId))] })
  },
})
