import { fstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { isByteLocked } from '../files/file-lock.ts'

const descriptors = '/proc/self/fd'

/** Whether this process has the file open, as it has for as long as the environment is. */
const isOpenHere = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): boolean =>
  readdirSync(descriptors).some((name) => {
    try {
      const found = fstatSync(Number(name), { bigint: true })
      return found.ino === ino && found.dev === dev
    } catch {
      // The one by which they are listed is closed by now.
      return false
    }
  })

const hasOther = (lockPath: string): boolean => {
  try {
    const file = statSync(lockPath, { bigint: true, throwIfNoEntry: false })
    // What this process has open itself has no other of its id, or it would not have been opened.
    return file !== undefined && !isOpenHere(file) && isByteLocked(lockPath, process.pid)
  } catch {
    // A file that may not be read, or a file system without locks, is for LMDB to complain of.
    return false
  }
}

/**
 * Throws AppError `unavailable` when another process of the same id has the LMDB environment in `folder` open, in another container on the
 * same volume: of both only the first can read (`mdb_reader_pid` in lmdb's mdb.c locks the byte of its process id in `lock.mdb`). The
 * package `lmdb` would ask again for ten seconds without letting anything else happen, and then end the process. Costs a look at each open
 * file of this process.
 */
export const refuseSameProcessId = (folder: string): void => {
  if (process.platform !== 'linux' || !hasOther(join(folder, 'lock.mdb'))) return
  throw new AppError(
    'unavailable',
    'service-unavailable',
    `The data folder is in use by a process with the process id ${process.pid}, which this one has too: it runs in another container. LMDB tells processes apart by their ids. Run both in one PID namespace (docker run --pid=container:NAME; shareProcessNamespace: true in a pod of Kubernetes), or stop the other one first; docs/containers.md says more.`,
  )
}
