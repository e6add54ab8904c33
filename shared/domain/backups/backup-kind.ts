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
