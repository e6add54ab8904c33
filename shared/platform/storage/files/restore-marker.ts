import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'

/** Where a restore puts what it brings; there for as long as it is not done. */
export const restoringName = '.restoring'

/** Throws AppError `unavailable` where a restore of the data folder was cut short: a part of it may be of another time. */
export const refuseHalfRestored = (dataDir: string): void => {
  if (!existsSync(join(dataDir, restoringName))) return
  throw new AppError(
    'unavailable',
    'service-unavailable',
    `A restore into the data folder was cut short: run it again (npm run backup -- restore ID --replace).`,
  )
}
