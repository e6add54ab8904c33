import { fstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { isByteLocked } from '../files/file-lock.ts'

const descriptors = '/proc/self/fd'

/** Whether this process has the file open, which it has while the environment is open. */
const isOpenHere = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): boolean =>
  readdirSync(descriptors).some((name) => {
    try {
      const stats = fstatSync(Number(name), { bigint: true })
      return stats.ino === ino && stats.dev === dev
    } catch {
      // The descriptor of the listing itself is already closed.
      return false
    }
  })

const hasOther = (lockPath: string): boolean => {
  try {
    const file = statSync(lockPath, { bigint: true, throwIfNoEntry: false })
    // If this process has it open, no other process with this id has.
    return file !== undefined && !isOpenHere(file) && isByteLocked(lockPath, process.pid)
  } catch {
    // LMDB reports unreadable files and file systems without locks.
    return false
  }
}

/**
 * Throws AppError `unavailable` if a process with the same id, in another container on the same volume, has the LMDB environment in
 * `folder` open. Only the first of them could read: `mdb_reader_pid` in lmdb's mdb.c locks the byte of its process id in `lock.mdb`.
 * The package `lmdb` would block for ten seconds and then end the process. Reads the attributes of each open file of this process.
 */
export const refuseSameProcessId = (folder: string): void => {
  if (process.platform !== 'linux' || !hasOther(join(folder, 'lock.mdb'))) return
  throw new AppError(
    'unavailable',
    'service-unavailable',
    `The data folder is in use by a process with the process id ${process.pid}, the same as this one, in another container. LMDB identifies processes by their ids. Run both in one PID namespace (docker run --pid=container:NAME; shareProcessNamespace: true in a Kubernetes pod), or stop the other one first. See docs/containers.md.`,
  )
}
