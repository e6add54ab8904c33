import { join, resolve } from 'node:path'
import type { Backup, BackupWork } from '../../shared/domain/backups/backup.ts'
import type { Keep } from '../../shared/domain/backups/choose-kept.ts'
import { isFile, listParts } from '../../shared/domain/backups/files/backup-folders.ts'
import { createBackups } from '../../shared/domain/backups/files/create-backups.ts'
import { describeConfigFault, readConfig } from '../../shared/domain/configs/reading/config-parser.ts'
import { createEmbeddedConfigFiles } from '../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { expectServerDefaults } from '../../shared/domain/configs/texts/embedded/default-path.ts'
import { systemClock as clock } from '../../shared/kernel/clock.ts'
import { AppError, type Fault } from '../../shared/kernel/errors.ts'
import { systemIds as ids } from '../../shared/kernel/ids.ts'
import type { ParseResult } from '../../shared/kernel/schema.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import { resourcePath } from '../../shared/platform/storage/files/resource-path.ts'
import { refuseHalfRestored } from '../../shared/platform/storage/files/restore-marker.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { refuseHalfMoved } from '../../shared/services/migration-record.ts'

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
export const createOne = async (
  environment: Environment,
  complain: (text: string) => void,
  work: BackupWork,
): Promise<Backup> => {
  const { dataDir, backupDir } = environment
  await expectData(dataDir)
  const keep = await readKeep(environment)
  const backups = createBackups({ dataDir, backupDir, clock, ids, ...(keep.ok && { keep: () => keep.value }) })
  const backup = await backups.create(work)
  if (!keep.ok) complain(describeUnthinned(keep.faults))
  return backup
}
