import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, resolve } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { describeCause } from './describe-unwritable.ts'
import { fileModeIn, folderModeAt } from './group-folder.ts'

/** The used part of `fs-native-extensions`, a CommonJS package without types. */
type NativeLocks = {
  tryLock(fd: number): boolean
  tryLock(fd: number, offset: number, length: number, options: { readonly shared: boolean }): boolean
  waitForLock(fd: number): Promise<void>
}

const require = createRequire(import.meta.url)
const nativeLocks: NativeLocks = require('fs-native-extensions')

/** The end of this process's queue for each lock file in use (docs/decisions/0002-file-locks.md). */
const queueEnds = new Map<string, Promise<unknown>>()

const lockPathOf = (path: string): string => `${resolve(path)}.lock`

const cannotLock = (lockPath: string, cause: unknown): AppError => {
  const reason = describeCause(cause)
  const detail =
    reason === undefined
      ? 'A file of the data folder cannot be locked.'
      : `${basename(lockPath, '.lock')} cannot be written: ${reason}. See docs/containers.md.`
  return new AppError('unavailable', 'service-unavailable', detail, { cause })
}

/** Synchronous except for the waiting: the lock file is empty, and the kernel knows its path. */
const acquire = async (lockPath: string): Promise<number> => {
  let file: number | undefined
  try {
    file = openSync(lockPath, 'a', fileModeIn(dirname(lockPath)))
    if (!nativeLocks.tryLock(file)) await nativeLocks.waitForLock(file)
    return file
  } catch (cause) {
    if (file !== undefined) closeSync(file)
    throw cannotLock(lockPath, cause)
  }
}

const runLocked = async <T>(lockPath: string, run: () => Promise<T>): Promise<T> => {
  const file = await acquire(lockPath)
  try {
    return await run()
  } finally {
    closeSync(file)
  }
}

/**
 * Runs `run` while it holds the lock of `path` among all processes and callers, and releases it afterwards. The kernel releases it if
 * the process dies. The lock is on the empty file `<path>.lock`, which is created if absent and never removed. Not reentrant. Throws
 * AppError `unavailable` if locking fails, and errors of `run`.
 */
export const withFileLock = async <T>(path: string, run: () => Promise<T>): Promise<T> => {
  const lockPath = lockPathOf(path)
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

/** A lock that its holder keeps until `release`. */
export type HeldFileLock = {
  /** Further calls have no effect. */
  release(): void
}

/**
 * Takes the lock of `path` until it is released or the process dies. Undefined if another process or caller has it. Uses the same lock
 * file as `withFileLock`, and creates its folder if absent. Throws AppError `unavailable` if locking fails.
 */
export const holdFileLock = (path: string): HeldFileLock | undefined => {
  // A bare descriptor, because a FileHandle would be closed, and the lock lost, when nothing refers to it.
  const lockPath = lockPathOf(path)
  let file: number | undefined
  const release = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  try {
    mkdirSync(dirname(lockPath), { recursive: true, mode: folderModeAt(dirname(lockPath)) })
    file = openSync(lockPath, 'a', fileModeIn(dirname(lockPath)))
    if (nativeLocks.tryLock(file)) return { release }
    release()
    return undefined
  } catch (cause) {
    release()
    throw cannotLock(lockPath, cause)
  }
}

/**
 * Whether another process has a write lock on the byte at `offset` of a file. Do not use it for a file that this process has open:
 * closing it here releases the POSIX locks of other libraries on it. Throws system errors.
 */
export const isByteLocked = (path: string, offset: number): boolean => {
  const file = openSync(path, 'r')
  try {
    return !nativeLocks.tryLock(file, offset, 1, { shared: true })
  } finally {
    closeSync(file)
  }
}
