import { Type } from '@sinclair/typebox'
import { Sanction } from '../../shared/domain/sanctions/sanction.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

export const endSanction = route({
  method: 'delete',
  path: '/api/admin/sanctions/:id',
  permission: 'admin.sanctions.write',
  operationId: 'endSanction',
  summary: 'End a sanction. One that has already ended does not change.',
  params: ClosedObject({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: Sanction },
  problems: ['not-found', 'beyond-own-permissions', 'not-oneself', 'accounts-unreadable'],
  handle: async ({ sanctions }, { params, actor, request }) => ok(await sanctions.end(actor, params.id, request.address)),
})
