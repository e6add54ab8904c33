import { Type } from '@sinclair/typebox'
import { AuditEntry } from '../../shared/domain/audit/audit-log.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { ForceName } from '../accounts/users.ts'
import { authorise, authoriseAny } from '../http/request/authenticate.ts'
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

export const Undone = ClosedObject({
  entry: AuditEntry,
  restored: Type.Unknown({ description: 'The current value; null if it is deleted.' }),
})

export const UndoDryRun = ClosedObject({
  would: Type.Unknown({ description: 'The value after the undo; null if it would be deleted.' }),
})

/** Undoes one write, by its audit entry. */
export const undoWrite = route({
  method: 'post',
  path: '/api/admin/audit/:id/undo',
  permission: 'signed-in',
  operationId: 'undoAuditEntry',
  privilege: 'admin.users.write',
  summary:
    'Undo the write of an audit entry. Needs the permission of that write. `dryRun=true` only reports what it would restore.',
  params: ClosedObject({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
  query: ClosedObject({ dryRun: Type.Optional(Type.Boolean()), force: ForceName }),
  responses: {
    200: Type.Union([Undone, UndoDryRun], { description: '`UndoDryRun` with `dryRun=true`, else `Undone`.' }),
  },
  problems: [
    'missing-permission',
    'password-sign-in-needed',
    'beyond-own-permissions',
    'not-oneself',
    'not-found',
    'changed-since',
    'last-administrator',
    'display-name-taken',
    'zone-overlap',
    'not-undoable',
    'unknown-group',
    'chunks-not-generated',
    'rule-broken',
    'invalid-config',
    'accounts-unreadable',
  ],
  handle: async ({ undo }, { params: { id }, query, actor, request: { address } }) => {
    authoriseAny(actor, undo.permissions)
    authorise(actor, await undo.permissionOf(id))
    return ok(
      query.dryRun === true ? { would: await undo.rehearse(actor, id) } : await undo.undo({ ...actor, address }, id, query),
    )
  },
})
