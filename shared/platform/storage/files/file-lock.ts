import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, resolve } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { describeCause } from './describe-unwritable.ts'
import { fileModeIn, folderModeAt } from './group-folder.ts'

/** What is used of `fs-native-extensions`, a CommonJS package without types of its own. */
type NativeLocks = {
  tryLock(fd: number): boolean
  tryLock(fd: number, offset: number, length: number, options: { readonly shared: boolean }): boolean
  waitForLock(fd: number): Promise<void>
}

const require = createRequire(import.meta.url)
const nativeLocks: NativeLocks = require('fs-native-extensions')

/** The end of the queue of this process for each lock file that is held or waited for (docs/decisions/0002-file-locks.md). */
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

/** By return but for the waiting: the lock file is empty, and its place is known to the kernel from the time before. */
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
 * Runs `run` while no other process and nothing else in this one holds the lock of `path`, and frees it whatever the outcome. The
 * kernel frees it when the process dies. The lock is on the empty file `<path>.lock` beside it, made when absent and never
 * removed. Not reentrant. Throws AppError `unavailable` when it cannot be locked, and what `run` throws.
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

/** A lock that its holder keeps for as long as it likes. */
export type HeldFileLock = {
  /** Twice is as good as once. */
  release(): void
}

/**
 * Takes the lock of `path` and keeps it until it is released or the process dies. Undefined when another process, or something else
 * in this one, has it. Where the lock lies is as with `withFileLock`; its folder is made when absent.
 * Throws AppError `unavailable` when it cannot be locked.
 */
export const holdFileLock = (path: string): HeldFileLock | undefined => {
  // A bare descriptor: a FileHandle would be closed, and the lock be gone, once nothing refers to it.
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
 * Whether another process has a lock for writing on the byte at `offset` of a file. Not for a file that this process has open: closing it
 * here frees the POSIX locks that others of its libraries have on it. Throws what the system says.
 */
export const isByteLocked = (path: string, offset: number): boolean => {
  const file = openSync(path, 'r')
  try {
    return !nativeLocks.tryLock(file, offset, 1, { shared: true })
  } finally {
    closeSync(file)
  }
}
