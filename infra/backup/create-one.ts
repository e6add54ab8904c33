import { resolve } from 'node:path'
import type { Backup, BackupWork } from '../../shared/backups/backup.ts'
import { listParts } from '../../shared/backups/files/backup-places.ts'
import { createBackups } from '../../shared/backups/files/create-backups.ts'
import { systemClock as clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds as ids } from '../../shared/kernel/ids.ts'
import { createLog } from '../../shared/kernel/log.ts'
import type { Environment } from '../../shared/services/environment.ts'
import { openServices } from '../../shared/services/services.ts'

/** A backup of nothing would be the latest, and thin those of something. */
const expectData = async (dataDir: string): Promise<void> => {
  if ((await listParts(dataDir)).length > 0) return
  const detail = `There is nothing to back up in ${resolve(dataDir)} (DATA_DIR): set it to the data folder that is meant.`
  throw new AppError('not-found', 'not-found', detail)
}

/** How many are kept stands in `server.yaml`, which a restore cannot rely on. */
const openKeep = async (environment: Environment) => {
  const services = await openServices(environment, createLog('error', 'gatehouse-task'))
  const { keep } = services.configs.get('server.yaml').backups
  await services.close()
  return keep
}

/** A backup of the data folder, as a server makes it. Throws AppError, `not-found` where there is no data. */
export const createOne = async (environment: Environment, work: BackupWork): Promise<Backup> => {
  const { dataDir, backupDir } = environment
  await expectData(dataDir)
  const keep = await openKeep(environment)
  return createBackups({ dataDir, backupDir, clock, ids, keep: () => keep }).create(work)
}
