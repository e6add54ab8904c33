import { Type } from '@sinclair/typebox'
import { Backup, managedElsewhere } from '../../shared/domain/backups/backup.ts'
import { backupJob } from '../../shared/domain/backups/backup-kind.ts'
import { Job } from '../../shared/domain/jobs/job.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, type Route, route } from '../http/route.ts'

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
  responses: { 202: Job },
  problems: ['managed-elsewhere', 'too-many-jobs'],
  handle: async ({ backups, jobs }, { actor }) => {
    if (backups === undefined) throw managedElsewhere()
    const job = await jobs.start(actor, backupJob)
    return { status: 202, body: job, headers: { Location: `/api/admin/jobs/${job.id}` } }
  },
})

export const backupRoutes: readonly Route[] = [listBackups, createBackup]
