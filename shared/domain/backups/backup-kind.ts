import type { JobKind } from '../jobs/job-kind.ts'
import type { NewJob } from '../jobs/job-service.ts'
import type { Backups } from './backup.ts'

/** The place of jobs that the process with the data folder runs. */
export const dataPlace = 'data'

/** A job that makes a backup. */
export const backupJob: NewJob = {
  kind: 'backup',
  place: dataPlace,
  input: {},
  permission: 'admin.backups.write',
  detail: 'Waits for the process that has the data folder.',
  audit: { action: 'backup.create', target: 'backups', after: {} },
}

export const createBackupKind = (backups: Pick<Backups, 'create'>): JobKind => ({
  kind: 'backup',
  lane: 'backups',
  afterCrash: 'fail',
  run: async ({ signal, tell }) => {
    const backup = await backups.create({ signal, tell })
    return { detail: `The backup ${backup.id} is made, and every record of it was read back.`, result: backup }
  },
})
