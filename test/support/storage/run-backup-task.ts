import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { runBackup } from '../../../tools/backup/run-backup.ts'

/** Runs `npm run backup -- …` on these folders; returns its exit code and its output. */
export const runBackupTask = async (
  args: readonly string[],
  { dataDir, backupDir }: { readonly dataDir: string; readonly backupDir: string },
) => {
  const told = { out: '', err: '' }
  const exit = await runBackup({
    args: [...args],
    environment: () => parseEnvironment({ DATA_DIR: dataDir, BACKUP_DIR: backupDir, LOG_LEVEL: 'silent' }, 'task'),
    print: (text) => {
      told.out += text
    },
    complain: (text) => {
      told.err += text
    },
    signal: new AbortController().signal,
  })
  return { exit, ...told }
}
