import { join } from 'node:path'
import { repeat } from '../../../kernel/repeat.ts'
import { type HeldFileLock, holdFileLock } from '../../../platform/storage/files/file-lock.ts'
import type { Configs } from '../../configs/current/configs.ts'
import { createJobRunner, type JobRunner, type JobRunnerDeps } from '../../jobs/job-runner.ts'
import type { JobService } from '../../jobs/job-service.ts'
import { findDurationMs } from '../../sanctions/duration.ts'
import { createImportWorldKind, type WorldImports } from '../../world-moves/world-imports.ts'
import { type Backups, backupJob, createBackupKind, createVerifyBackupKind, dataPlace } from '../backup.ts'

export type DataJobsDeps = Omit<JobRunnerDeps, 'place' | 'kinds' | 'isHeld'> & {
  readonly dataDir: string
  readonly backups: Backups
  readonly worldImports: Pick<WorldImports, 'run' | 'sweep'> | undefined
  readonly jobs: JobService
  readonly configs: Pick<Configs, 'get'>
}

const lookEveryMs = 5000

/** Whether a backup is due and none is in progress. */
const isDue = async ({ backups, jobs, configs, clock }: DataJobsDeps): Promise<boolean> => {
  const { every } = configs.get('server.yaml').backups
  const everyMs = every === undefined ? undefined : findDurationMs(every)
  if (everyMs === undefined) return false
  const { jobs: latest } = await jobs.listJobs({ limit: 200 })
  const last = latest.find(({ kind }) => kind === backupJob.kind)
  if (last !== undefined && (last.finishedAt === undefined || clock.now() - Date.parse(last.startedAt) < everyMs)) return false
  const [newest] = await backups.list()
  return newest === undefined || clock.now() - Date.parse(newest.at) >= everyMs
}

/**
 * Runs the jobs of the data folder in this process unless another one does, and starts backups by `backups.every` of `server.yaml`. One of
 * several processes does it; when it ends, another takes over.
 */
export const runDataJobs = (deps: DataJobsDeps): { close(): Promise<void> } => {
  const { dataDir, backups, worldImports, jobs, ids, log } = deps
  let lock: HeldFileLock | undefined
  let runner: JobRunner | undefined
  const look = async (): Promise<void> => {
    try {
      lock ??= holdFileLock(join(dataDir, 'jobs'))
      if (lock === undefined) return
      runner ??= createJobRunner({
        ...deps,
        place: dataPlace,
        kinds: [
          createBackupKind(backups),
          createVerifyBackupKind(backups),
          ...(worldImports ? [createImportWorldKind(worldImports)] : []),
        ],
      })
      await worldImports?.sweep()
      const actor = { email: 'system', playerId: 'system', via: 'cli', requestId: ids.uuid() } as const
      if (await isDue(deps)) await jobs.start(actor, backupJob)
    } catch (error) {
      log.warn({ err: error }, 'could not check whether a backup is due; trying again')
    }
  }
  const first = look()
  const end = repeat(look, lookEveryMs)
  return {
    close: async () => {
      end()
      await first
      await runner?.close()
      lock?.release()
    },
  }
}
