import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'

/** The folder for files of a restore. It exists until the restore is complete. */
export const restoringName = '.restoring'

/** Throws AppError `unavailable` if a restore of the data folder was interrupted, so that its parts may be from different times. */
export const refuseHalfRestored = (dataDir: string): void => {
  if (!existsSync(join(dataDir, restoringName))) return
  throw new AppError(
    'unavailable',
    'service-unavailable',
    `A restore into the data folder was interrupted. Run it again: npm run backup -- restore ID --replace.`,
  )
}
