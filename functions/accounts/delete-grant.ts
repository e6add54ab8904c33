import { Type } from '@sinclair/typebox'
import { noContent, route } from '../http/route.ts'

export const deleteGrant = route({
  method: 'delete',
  path: '/api/admin/users/:email/grants/:id',
  permission: 'admin.users.write',
  operationId: 'deleteGrant',
  summary: 'Remove a grant from an account. Applies in every process and session within a second.',
  params: Type.Object({ email: Type.String(), id: Type.String() }),
  responses: { 204: 'The grant is deleted.' },
  problems: ['not-found', 'stale', 'beyond-own-permissions', 'last-administrator', 'accounts-unreadable'],
  handle: async ({ accounts }, { params, actor, request }) => {
    await accounts.removeGrant(actor, params.email, params.id, request.ifMatch)
    return noContent
  },
})
