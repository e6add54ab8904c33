import { type FileHandle, open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'

/** What is used of `fs-native-extensions`, a CommonJS package without types of its own. */
type NativeLocks = {
  tryLock(fd: number): boolean
  waitForLock(fd: number): Promise<void>
}

const require = createRequire(import.meta.url)
const nativeLocks: NativeLocks = require('fs-native-extensions')

/** The end of the queue of this process for each lock file that is held or waited for (docs/decisions/0002-file-locks.md). */
const queueEnds = new Map<string, Promise<unknown>>()

const acquire = async (lockPath: string): Promise<FileHandle> => {
  let file: FileHandle | undefined
  try {
    file = await open(lockPath, 'a', 0o600)
    if (!nativeLocks.tryLock(file.fd)) await nativeLocks.waitForLock(file.fd)
    return file
  } catch (cause) {
    await file?.close()
    throw new AppError('unavailable', 'service-unavailable', 'A file of the data folder cannot be locked.', { cause })
  }
}

const runLocked = async <T>(lockPath: string, run: () => Promise<T>): Promise<T> => {
  const file = await acquire(lockPath)
  try {
    return await run()
  } finally {
    await file.close()
  }
}

/**
 * Runs `run` while no other process and nothing else in this one holds the lock of `path`, and frees it whatever the outcome;
 * the kernel frees it when the process dies. The lock is on the empty file `<path>.lock` beside it, made when absent and never
 * removed. Not reentrant. Throws AppError `unavailable` when it cannot be locked, and what `run` throws.
 */
export const withFileLock = async <T>(path: string, run: () => Promise<T>): Promise<T> => {
  const lockPath = `${resolve(path)}.lock`
  const turn = (queueEnds.get(lockPath) ?? Promise.resolve()).then(() => runLocked(lockPath, run))
  const end = turn.then(
    () => undefined,
    () => undefined,
  )
  queueEnds.set(lockPath, end)
  try {
    return await turn
  } finally {
    if (queueEnds.get(lockPath) === end) queueEnds.delete(lockPath)
  }
}
