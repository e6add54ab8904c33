import { Type } from '@sinclair/typebox'
import { FailedSignIns, findFailedSignIns } from '../../shared/domain/accounts/failed-sign-ins.ts'
import { listSignIns, NotedSignIn } from '../../shared/domain/accounts/sign-in-log.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { AccountParams } from './account-inputs.ts'

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
