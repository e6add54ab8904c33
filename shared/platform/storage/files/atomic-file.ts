import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  close,
  closeSync,
  fchmod,
  fchown,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
  writeFile,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, realpath, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../../kernel/errors.ts'
import { codeOf } from './code-of.ts'
import { describeCause } from './describe-unwritable.ts'
import { fileModeIn } from './group-folder.ts'

/** If a callback throws, the file is unchanged and the error is passed on. */
export type ReplaceFileOptions = {
  /** Runs while the new text is being synced next to the file, for other work that waits for the disk. */
  readonly duringSync?: () => Promise<void>
  /** Runs when the new text is safely on disk next to the file. The rename follows directly if it returns synchronously. */
  readonly beforeRename?: () => Promise<void> | void
}

const isWindows = process.platform === 'win32'
const abandonedAfterNanoseconds = 3_600_000_000_000n

const ignoring =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(String(codeOf(error)))) throw error
  }

const statExact = (path: string) => stat(path, { bigint: true }).catch(ignoring('ENOENT'))

const versionOf = ({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string => [mtimeNs, ctimeNs, size, ino].join('-')

/** Changes whenever the file at `path` is replaced, written or touched; undefined if there is none. Compare it for equality only. */
export const fileVersion = async (path: string): Promise<string | undefined> => {
  const stats = await statExact(path)
  return stats && versionOf(stats)
}

/**
 * As `fileVersion`, but synchronous, in microseconds. Use it only for a path that was used a moment ago, so that the kernel has it in
 * memory.
 */
export const fileVersionNow = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && versionOf(stats)
}

/**
 * The version of an open file, even if its path now has another one, and its size in bytes. Takes microseconds, because the kernel has
 * them in memory.
 */
export const openFileVersion = ({ fd }: Pick<FileHandle, 'fd'>): { readonly version: string; readonly size: number } => {
  const stats = fstatSync(fd, { bigint: true })
  return { version: versionOf(stats), size: Number(stats.size) }
}

const machine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const tempPrefix = (path: string): string => `.${basename(path)}.${machine()}.`

type Temp = {
  readonly tempPath: string
  readonly fd: number
  readonly made: BigIntStats
  /** Closes only once, because the descriptor may later belong to another file. */
  readonly close: () => Promise<void>
}

const closeFile = promisify(close)

const openNew = (tempPath: string): Temp => {
  const fd = openSync(tempPath, 'wx', fileModeIn(dirname(tempPath)))
  let closed: Promise<void> | undefined
  const closeOnce = (): Promise<void> => {
    closed ??= closeFile(fd)
    return closed
  }
  return { tempPath, fd, made: fstatSync(fd, { bigint: true }), close: closeOnce }
}

/** Synchronous: the folder was used a moment ago, so the kernel creates the name in memory. */
const openTemp = (path: string, attempt = 0): Temp => {
  try {
    return openNew(join(dirname(path), `${tempPrefix(path)}${process.pid}.${attempt}.tmp`))
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? openTemp(path, attempt + 1) : failureOf(path)(error)
  }
}

const giveAway = promisify(fchown)
const setMode = promisify(fchmod)

const keepRights = async ({ fd, made }: Temp, before: BigIntStats): Promise<void> => {
  // Only root may change the owner. Otherwise the file becomes ours, as with every editor that replaces files.
  if (before.uid !== made.uid || before.gid !== made.gid)
    await giveAway(fd, Number(before.uid), Number(before.gid)).catch(ignoring('EPERM'))
  if (before.mode !== made.mode) await setMode(fd, Number(before.mode & 0o777n))
}

const syncFile = promisify(fsync)

/** Does not await the closing where an open file can be renamed. Nothing depends on its result. */
const syncAndClose = async ({ fd, close }: Temp): Promise<BigIntStats> => {
  await syncFile(fd)
  const written = fstatSync(fd, { bigint: true })
  const closed = close()
  if (isWindows) await closed
  else closed.catch(() => undefined)
  return written
}

/** Waits for all, then rejects with the first failure. */
const allEnded = async (work: readonly Promise<unknown>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === 'rejected') throw outcome.reason
}

const openNow = (folder: string): number => {
  try {
    return openSync(folder, 'r')
  } catch (cause) {
    return storageFailure(cause)
  }
}

/** The folder of `path`, opened synchronously: it was used a moment ago. */
const openFolder = (path: string) => {
  const folder = isWindows ? undefined : openNow(dirname(path))
  return {
    sync: async () => {
      if (folder !== undefined) await syncFile(folder)
    },
    close: () => {
      if (folder !== undefined) closeSync(folder)
    },
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/**
 * Removes files that dead writers left next to `path`. The pid identifies them on this machine, an age of one hour by the file system's
 * clock on others.
 */
const removeAbandoned = async (path: string, own: Temp): Promise<void> => {
  const [prefix, pattern] = [tempPrefix(path), /^\.(.+)\.[0-9a-f]{8}\.(\d+)\.\d+\.tmp$/]
  for (const name of readdirSync(dirname(path))) {
    const [, base, pid] = pattern.exec(name) ?? []
    const tempPath = join(dirname(path), name)
    if (base !== basename(path) || tempPath === own.tempPath) continue
    const since = (await statExact(tempPath))?.mtimeNs
    const old = since !== undefined && own.made.mtimeNs - since > abandonedAfterNanoseconds
    if (old || (name.startsWith(prefix) && !isAlive(Number(pid)))) await rm(tempPath, { force: true })
  }
}

const storageFailure = (cause: unknown): never => {
  const reason = describeCause(cause)
  const detail = reason === undefined ? '.' : `: ${reason}. See docs/containers.md.`
  throw new AppError('unavailable', 'service-unavailable', `A file of the data folder cannot be written${detail}`, { cause })
}

/** As `storageFailure`, with the name of the file. */
const failureOf =
  (path: string) =>
  (cause: unknown): never => {
    const reason = describeCause(cause)
    if (reason === undefined) return storageFailure(cause)
    throw new AppError(
      'unavailable',
      'service-unavailable',
      `${basename(path)} cannot be written: ${reason}. See docs/containers.md.`,
      { cause },
    )
  }

/**
 * The version of the file at `path` if it is still the one that was `written`; undefined if another process has changed or replaced it.
 */
const versionOfOwn = (path: string, written: BigIntStats): string | undefined => {
  const now = lookNow(path)
  const isOwn = now?.ino === written.ino && now.mtimeNs === written.mtimeNs && now.size === written.size
  return isOwn ? versionOf(now) : undefined
}

const lookNow = (path: string): BigIntStats | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

type Target = { readonly target: string; readonly before: BigIntStats | undefined }

/** The file itself if `path` is a symbolic link, with its current attributes. Links in the path of its folder do not matter. */
const findTarget = async (path: string): Promise<Target> => {
  const before = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!before?.isSymbolicLink()) return { target: path, before }
  const target = (await realpath(path).catch(ignoring('ENOENT'))) ?? path
  return { target, before: await statExact(target) }
}

/** The maximum size for a synchronous write, in bytes or letters. It takes 0.2 ms for bytes, 2 ms for text in other scripts. */
const shortLength = 1024 * 1024
const writeLong = promisify(writeFile)

const writeContents = async (fd: number, contents: string | Uint8Array): Promise<void> => {
  if (contents.length <= shortLength) writeFileSync(fd, contents)
  else await writeLong(fd, contents, 'utf8')
}

const putInPlace = async (
  { target, before }: Target,
  temp: Temp,
  text: string | Uint8Array,
  options: ReplaceFileOptions,
): Promise<string | undefined> => {
  const folder = openFolder(target)
  try {
    await writeContents(temp.fd, text).catch(storageFailure)
    if (before !== undefined) await keepRights(temp, before).catch(storageFailure)
    const written = syncAndClose(temp).catch(storageFailure)
    await allEnded([written, (async () => options.duringSync?.())()])
    await options.beforeRename?.()
    await rename(temp.tempPath, target).catch(failureOf(target))
    const version = versionOfOwn(target, await written)
    await folder.sync().catch(storageFailure)
    return version
  } finally {
    folder.close()
  }
}

/**
 * Replaces or creates the file at `path`. Readers see the old text or the new one, never a part. Resolves to the version when the new
 * text is durable, or to undefined if another process has already changed the file.
 *
 * Keeps the mode, the owner (where allowed) and a symbolic link. A new file is for its owner only, or also for the group if the folder
 * is. `path` is read synchronously, so it should have been used a moment ago. Throws AppError `unavailable` and errors of the options.
 * Temporary files are always removed.
 */
export const replaceFile = async (
  path: string,
  text: string | Uint8Array,
  options: ReplaceFileOptions = {},
): Promise<string | undefined> => {
  const target = await findTarget(path).catch(storageFailure)
  const temp = openTemp(target.target)
  // Runs during the writing, which waits for the disk. The next writer retries what cannot be removed.
  const cleared = removeAbandoned(target.target, temp).catch(() => undefined)
  try {
    return await putInPlace(target, temp, text, options)
  } catch (error) {
    await temp.close().catch(() => undefined)
    await rm(temp.tempPath, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await cleared
  }
}
