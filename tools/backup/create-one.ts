import { join, resolve } from 'node:path'
import type { Backup, BackupWork } from '../../shared/domain/backups/backup.ts'
import type { Keep } from '../../shared/domain/backups/choose-kept.ts'
import { isFile, listParts } from '../../shared/domain/backups/files/backup-places.ts'
import { createBackups } from '../../shared/domain/backups/files/create-backups.ts'
import { describeConfigFault, readConfig } from '../../shared/domain/configs/reading/read-config.ts'
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

/** A backup of nothing would be the latest, and thin those of something. */
const expectData = async (dataDir: string): Promise<void> => {
  if ((await listParts(dataDir)).length > 0) return
  const detail = `There is nothing to back up in ${resolve(dataDir)} (DATA_DIR): set it to the data folder that is meant.`
  throw new AppError('not-found', 'not-found', detail)
}

const openRecords = async (dataDir: string): Promise<Store> => {
  const path = join(dataDir, 'records')
  // A folder without records has configs and accounts all the same.
  return (await isFile(join(path, 'data.mdb'))) ? createLmdbStore({ path, ids, isReadOnly: true }) : createMemoryStore()
}

/**
 * How many are kept stands in `server.yaml`. It alone is read: no other broken config keeps an operator from a backup. Throws AppError for
 * a folder that no server starts on either.
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
  return `No backup was taken away: ${describeConfigFault('server.yaml', fault)}. It says how many are kept: mend it, and the next one thins them.\n`
}

/**
 * A backup of the data folder, as a server makes it; none is taken away while `server.yaml` is broken, which `complain` is told. Throws
 * AppError, `not-found` where there is no data.
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
