import { Type } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { createAuditEntry } from '../../shared/domain/audit/audit-entry.ts'
import { Backup, backupJob, managedElsewhere, verifyBackupJob } from '../../shared/domain/backups/backup.ts'
import { coversRules } from '../../shared/domain/permissions/covers-rules.ts'
import { operatorRules } from '../../shared/domain/permissions/operator-rules.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { gzipPieces } from '../http/answer/gzip-pieces.ts'
import { withEnd } from '../http/answer/with-end.ts'
import { noContent, ok, type Route, route, stream } from '../http/route.ts'
import { BackupJob, BackupVerifyJob } from '../jobs/jobs.ts'

const listBackups = route({
  method: 'get',
  path: '/api/admin/backups',
  permission: 'admin.backups.read',
  operationId: 'listBackups',
  summary: 'The backups of the data folder, newest first.',
  responses: { 200: ClosedObject({ backups: Type.Array(Backup) }) },
  problems: ['managed-elsewhere'],
  handle: async ({ backups }) => {
    if (backups === undefined) throw managedElsewhere()
    return ok({ backups: await backups.list() })
  },
})

const createBackup = route({
  method: 'post',
  path: '/api/admin/backups',
  permission: 'admin.backups.write',
  operationId: 'createBackup',
  summary: 'Start a job that copies the whole data folder as of one moment and verifies every record of the copy.',
  responses: { 202: BackupJob },
  problems: ['managed-elsewhere', 'too-many-jobs'],
  handle: async ({ backups, jobs }, { actor }) => {
    if (backups === undefined) throw managedElsewhere()
    const job = await jobs.start(actor, backupJob)
    return { status: 202, body: job, headers: { Location: `/api/admin/jobs/${job.id}` } }
  },
})

const BackupParams = ClosedObject({ id: Backup.properties.id })

const deleteBackup = route({
  method: 'delete',
  path: '/api/admin/backups/:id',
  permission: 'admin.backups.write',
  operationId: 'deleteBackup',
  summary: 'Delete a backup. It cannot be restored afterwards.',
  params: BackupParams,
  responses: { 204: 'The backup is deleted.' },
  problems: ['not-found', 'managed-elsewhere', 'conflict'],
  handle: async ({ backups, audit, clock, ids }, { params: { id }, actor }) => {
    if (backups === undefined) throw managedElsewhere()
    const before = await backups.get(id)
    await audit.append([createAuditEntry({ clock, ids }, actor, { action: 'backup.delete', target: id, before, after: null })])
    await backups.remove(id)
    return noContent
  },
})

const verifyBackup = route({
  method: 'post',
  path: '/api/admin/backups/:id/verify',
  permission: 'admin.backups.write',
  operationId: 'verifyBackup',
  summary: 'Start a job that verifies every record of a backup.',
  params: BackupParams,
  responses: { 202: BackupVerifyJob },
  problems: ['not-found', 'managed-elsewhere', 'too-many-jobs'],
  handle: async ({ backups, jobs }, { params: { id }, actor }) => {
    if (backups === undefined) throw managedElsewhere()
    await backups.get(id)
    const job = await jobs.start(actor, verifyBackupJob(id))
    return { status: 202, body: job, headers: { Location: `/api/admin/jobs/${job.id}` } }
  },
})

/** Refuses a caller without every permission: a backup contains every password hash and the whole audit log. */
const refuseForeignData = (actor: Actor): void => {
  if (coversRules(actor.rules, operatorRules)) return
  throw new AppError(
    'forbidden',
    'beyond-own-permissions',
    'A backup contains every account and the audit log. To download one, you need every permission ("*").',
  )
}

const downloadBackup = route({
  method: 'get',
  path: '/api/admin/backups/:id/download',
  permission: 'admin.backups.write',
  operationId: 'downloadBackup',
  summary:
    'A backup as a compressed archive (.tar.gz), streamed while it is read. Needs every permission. To restore it, unpack it into the backup folder of a server.',
  params: BackupParams,
  responses: { 200: Type.String({ format: 'binary' }) },
  mediaType: 'application/gzip',
  responseHeaders: { 'Content-Disposition': Type.String({ description: '`attachment`, with a file name.' }) },
  problems: ['not-found', 'managed-elsewhere', 'beyond-own-permissions'],
  handle: async ({ backups, audit, clock, ids, listings }, { params: { id }, actor, request }) => {
    refuseForeignData(actor)
    if (backups === undefined) throw managedElsewhere()
    const pieces = await backups.archive(id)
    await audit.append([
      createAuditEntry({ clock, ids }, actor, { action: 'backup.download', target: id, before: null, after: {} }),
    ])
    const release = listings.take(request.grant?.signInId ?? actor.playerId)
    request.clientGone().addEventListener('abort', release, { once: true })
    const headers = { 'Content-Disposition': `attachment; filename="gatehouse-${id}.tar.gz"` }
    return stream('application/gzip', withEnd(gzipPieces(pieces), release), headers)
  },
})

export const backupRoutes: readonly Route[] = [listBackups, createBackup, downloadBackup, verifyBackup, deleteBackup]
