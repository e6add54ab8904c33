import { Type } from '@sinclair/typebox'
import { AuditEntry } from '../../shared/domain/audit/audit-log.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { ok, route } from '../http/route.ts'

export const getAuditEntry = route({
  method: 'get',
  path: '/api/admin/audit/:id',
  permission: 'admin.audit.read',
  operationId: 'getAuditEntry',
  summary: 'One entry of the audit log.',
  params: ClosedObject({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
  responses: { 200: AuditEntry },
  problems: ['not-found'],
  handle: async ({ audit }, { params: { id } }) => {
    const entry = await audit.find(id)
    if (entry === undefined) throw new AppError('not-found', 'not-found', 'The audit log has no entry with this id.')
    return ok(entry)
  },
})
