import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listUsers } from '../../shared/domain/backups/lmdb/list-users.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { holdFileLock } from '../../shared/platform/storage/files/file-lock.ts'

const stopFirst = (who: string): AppError =>
  new AppError('conflict', 'conflict', `The data folder is in use (${who}). Stop it first.`)

const ending = '.lock'

/** A lock that does not exist has no holder. To create it would write to the folder. */
const listLocks = async (folder: string, isMeant: (name: string) => boolean): Promise<readonly string[]> => {
  const names: string[] = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith(ending) && isMeant(name)).map((name) => join(folder, name))
}

/** Whether a server holds one of its locks, of the jobs of the folder or of a world. The kernel knows. */
const isLocked = async (dataDir: string): Promise<boolean> => {
  const locks = [
    ...(await listLocks(dataDir, (name) => name === `jobs${ending}`)),
    ...(await listLocks(join(dataDir, 'worlds'), (name) => name.endsWith(`.lease${ending}`))),
  ]
  for (const path of locks) {
    const lock = holdFileLock(path.slice(0, -ending.length))
    if (lock === undefined) return true
    lock.release()
  }
  return false
}

/** Throws AppError `conflict` if the data folder is in use, even if its records are damaged while a server has them open. */
export const refuseUsed = async (dataDir: string): Promise<void> => {
  const pids = await listUsers(dataDir).catch((error: unknown) => {
    // Unreadable records are what the restore replaces. Only locks show whether the folder is in use.
    if (error instanceof Error && !(error instanceof AppError)) return []
    throw error
  })
  if (pids.length > 0) throw stopFirst(`process ${pids.join(', ')}`)
  if (await isLocked(dataDir)) throw stopFirst('a server holds a lock in it')
}
