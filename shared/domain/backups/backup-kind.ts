import { Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import type { NewJob } from '../jobs/job-service.ts'
import type { Backups } from './backup.ts'

/** The place of jobs that run in the process with the data folder. */
export const dataPlace = 'data'

/** A job that makes a backup. */
export const backupJob: NewJob = {
  kind: 'backup',
  place: dataPlace,
  input: {},
  permission: 'admin.backups.write',
  detail: 'Waiting for the process that has the data folder.',
  audit: { action: 'backup.create', target: 'backups', after: {} },
}

export const createBackupKind = (backups: Pick<Backups, 'create'>): JobKind => ({
  kind: 'backup',
  lane: 'backups',
  afterCrash: 'fail',
  run: async ({ signal, tell }) => {
    const backup = await backups.create({ signal, tell })
    return { detail: `Created the backup ${backup.id} and verified every record.`, result: backup }
  },
})

const parseVerifyInput = createParser(Type.Object({ id: Type.String() }))

/** A job that verifies every record of a backup. */
export const verifyBackupJob = (id: string): NewJob => ({
  kind: 'verify-backup',
  place: dataPlace,
  input: { id },
  permission: 'admin.backups.write',
  detail: 'Waiting for the process that has the data folder.',
  audit: { action: 'backup.verify', target: id, after: {} },
})

export const createVerifyBackupKind = (backups: Pick<Backups, 'verify'>): JobKind => ({
  kind: 'verify-backup',
  lane: 'backups',
  afterCrash: 'fail',
  run: async ({ input, signal, tell }) => {
    const parsed = parseVerifyInput(input)
    if (!parsed.ok) throw new Error('the input of the job is not a backup')
    const backup = await backups.verify(parsed.value.id, { signal, tell })
    return { detail: `Every record of the backup ${backup.id} is intact.`, result: backup }
  },
})
