import { join, resolve } from 'node:path'
import { type Backup, type Backups, type BackupWork, type Keep, managedElsewhere } from '../../shared/domain/backups/backup.ts'
import { isFile, listParts } from '../../shared/domain/backups/files/backup-folders.ts'
import { createBackups } from '../../shared/domain/backups/files/create-backups.ts'
import { describeConfigFault, readConfig } from '../../shared/domain/configs/reading/config-parser.ts'
import { createEmbeddedConfigFiles } from '../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { expectServerDefaults } from '../../shared/domain/configs/texts/embedded/default-path.ts'
import { systemClock as clock } from '../../shared/kernel/clock.ts'
import { AppError, type Fault } from '../../shared/kernel/errors.ts'
import { systemIds as ids } from '../../shared/kernel/ids.ts'
import type { ParseResult } from '../../shared/kernel/schema.ts'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import { resourcePath } from '../../shared/platform/storage/files/resource-path.ts'
import { refuseHalfRestored } from '../../shared/platform/storage/files/restore-marker.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { refuseHalfMoved } from '../../shared/services/migration-record.ts'
import { describeFailure } from '../world/describe-failure.ts'
import { readArguments } from '../world/read-arguments.ts'
import { sizeOf, tableOf } from '../world/words.ts'
import { restoreBackup } from './restore.ts'

/** A backup of nothing would be the latest one, and its retention would delete real ones. */
const expectData = async (dataDir: string): Promise<void> => {
  if ((await listParts(dataDir)).length > 0) return
  const detail = `There is nothing to back up in ${resolve(dataDir)} (DATA_DIR). Set DATA_DIR to your data folder.`
  throw new AppError('not-found', 'not-found', detail)
}

const openRecords = async (dataDir: string): Promise<Store> => {
  const path = join(dataDir, 'records')
  // A folder without records still has configs and accounts.
  return (await isFile(join(path, 'data.mdb'))) ? createLmdbStore({ path, ids, isReadOnly: true }) : createMemoryStore()
}

/**
 * Reads how many backups to keep from `server.yaml`, and reads no other config: a broken one must not prevent a backup. Throws
 * AppError for a folder on which no server starts.
 */
const readKeep = async ({ dataDir, serverDefaults }: Environment): Promise<ParseResult<Keep>> => {
  refuseHalfRestored(dataDir)
  if (serverDefaults !== undefined) await expectServerDefaults(serverDefaults)
  const store = await openRecords(dataDir)
  try {
    await refuseHalfMoved(store)
    const bundledDir = resourcePath('config')
    const files = createEmbeddedConfigFiles({ dataDir, bundledDir, serverDefaults, store, clock, ids })
    const server = await readConfig(files, 'server.yaml')
    return server.ok ? { ok: true, value: server.value.backups.keep } : server
  } finally {
    await store.close()
  }
}

const describeUnthinned = (faults: readonly Fault[]): string => {
  const [fault = { message: 'is broken' }] = faults
  return `No old backup was deleted: ${describeConfigFault('server.yaml', fault)}. This file says how many to keep. Fix it, and the next backup deletes old ones.\n`
}

/**
 * Creates a backup of the data folder, as a server does. Deletes no old backups while `server.yaml` is broken, and reports that
 * on `complain`. Throws AppError, `not-found` if there is no data.
 */
const createOne = async (environment: Environment, complain: (text: string) => void, work: BackupWork): Promise<Backup> => {
  const { dataDir, backupDir } = environment
  await expectData(dataDir)
  const keep = await readKeep(environment)
  const backups = createBackups({ dataDir, backupDir, clock, ids, ...(keep.ok && { keep: () => keep.value }) })
  const backup = await backups.create(work)
  if (!keep.ok) complain(describeUnthinned(keep.faults))
  return backup
}

const usage = `npm run backup -- COMMAND
  create               copies the data folder as of one moment into BACKUP_DIR; the server may run
  list                 lists the backups
  verify ID            verifies every record of a backup
  restore ID           restores a backup into an empty data folder; the server must not run
  restore ID --replace backs up the current data first, then replaces it
ID may be "latest".
`

type BackupEdges = {
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
