import { type Backup, type Backups, type BackupWork, managedElsewhere } from '../../shared/domain/backups/backup.ts'
import { createBackups } from '../../shared/domain/backups/files/create-backups.ts'
import { systemClock as clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds as ids } from '../../shared/kernel/ids.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import { asksForHelp } from '../usage/asks-for-help.ts'
import { describeFailure } from '../world/describe-failure.ts'
import { readArguments } from '../world/read-arguments.ts'
import { sizeOf, tableOf } from '../world/words.ts'
import { createOne } from './create-one.ts'
import { restoreBackup } from './restore.ts'

const usage = `npm run backup -- COMMAND
  create               copies the data folder as of one moment into BACKUP_DIR; the server may run
  list                 lists the backups
  verify ID            verifies every record of a backup
  restore ID           restores a backup into an empty data folder; the server must not run
  restore ID --replace backs up the current data first, then replaces it
ID may be "latest".
`

export type BackupEdges = {
  readonly args: readonly string[]
  readonly environment: () => Environment
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  readonly signal: AbortSignal
}

const describeBackup = ({ id, at, sizeBytes, worlds, verifiedAt }: Backup): readonly string[] => [
  id,
  at,
  sizeOf(sizeBytes),
  verifiedAt === undefined ? 'not verified' : `verified ${verifiedAt}`,
  worlds.join(', '),
]

const findId = async (backups: Backups, id: string): Promise<string> => {
  const [newest] = await backups.list()
  if (id !== 'latest') return id
  if (newest === undefined) throw new AppError('not-found', 'not-found', 'There is no backup in BACKUP_DIR.')
  return newest.id
}

/**
 * Runs one command and resolves to its exit code: 0 done, 1 bad usage, 2 refused or failed, 3 the backup is damaged, 130
 * stopped.
 */
export const runBackup = async ({
  args,
  environment: readEnvironment,
  print,
  complain,
  signal,
}: BackupEdges): Promise<number> => {
  if (asksForHelp(args)) {
    print(usage)
    return 0
  }
  const [name = '', ...rest] = args
  const names = { create: [], list: [], verify: ['ID'], restore: ['ID'] }[name]
  const read = names && readArguments(rest, names, name === 'restore' ? { replace: 'flag' } : {})
  if (read === undefined || !read.ok) {
    complain(
      `${read === undefined ? (name === '' ? 'Name a command.' : `There is no command "${name}".`) : read.reason}\n${usage}`,
    )
    return 1
  }
  try {
    const environment = readEnvironment()
    if (environment.dynamodb !== undefined) throw managedElsewhere()
    const { dataDir, backupDir } = environment
    const backups = createBackups({ dataDir, backupDir, clock, ids })
    const work: BackupWork = { signal, tell: () => undefined }
    const [wanted = ''] = read.value.positionals
    if (name === 'list') print(tableOf((await backups.list()).map(describeBackup)) || 'There are no backups.\n')
    else if (name === 'create') print(tableOf([describeBackup(await createOne(environment, complain, work))]))
    else {
      const id = await findId(backups, wanted)
      if (name === 'verify') print(tableOf([describeBackup(await backups.verify(id, work))]))
      else {
        await restoreBackup({ dataDir, backupDir, backups, print }, { id, isReplacing: read.value.flags.has('replace') }, work)
        print(`Restored the data folder as of ${(await backups.get(id)).at}. Start the server.\n`)
      }
    }
    return 0
  } catch (error) {
    if (signal.aborted) return 130
    complain(`${describeFailure(error)}\n`)
    return error instanceof AppError && error.slug === 'damaged-backup' ? 3 : 2
  }
}
