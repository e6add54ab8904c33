import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../kernel/errors.ts'

export type ReplaceFileOptions = {
  /** Runs when the new text is safe on disk beside the file; what it throws leaves the file as it was, and is passed on. */
  readonly beforeRename?: () => Promise<void>
}

const newFileMode = 0o600
const abandonedAfterNanoseconds = 3_600_000_000_000n

const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

const ignoring =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(String(errorCode(error)))) throw error
  }

const statExact = (path: string) => stat(path, { bigint: true }).catch(ignoring('ENOENT'))

/** Changes whenever the file at `path` is replaced, written or touched; undefined when there is none. Compare for equality only. */
export const fileVersion = async (path: string): Promise<string | undefined> => {
  const stats = await statExact(path)
  return stats && [stats.mtimeNs, stats.ctimeNs, stats.size, stats.ino].join('-')
}

const machine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const tempPrefix = (path: string): string => `.${basename(path)}.${machine()}.`

const openTemp = async (path: string, attempt = 0): Promise<{ tempPath: string; file: FileHandle }> => {
  const tempPath = join(dirname(path), `${tempPrefix(path)}${process.pid}.${attempt}.tmp`)
  const file = await open(tempPath, 'wx', newFileMode).catch(ignoring('EEXIST'))
  return file === undefined ? openTemp(path, attempt + 1) : { tempPath, file }
}

const fillTemp = async (path: string, file: FileHandle, text: string): Promise<void> => {
  const [before, now] = [await statExact(path), await file.stat({ bigint: true })]
  await file.writeFile(text, 'utf8')
  if (before !== undefined) {
    // Only root may give a file away; without that right the file becomes ours, as with every editor that replaces files.
    if (before.uid !== now.uid || before.gid !== now.gid)
      await file.chown(Number(before.uid), Number(before.gid)).catch(ignoring('EPERM'))
    await file.chmod(Number(before.mode & 0o777n))
  }
  await file.sync()
}

const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

/** Removes what writers that died left beside `path`; the pid tells for this machine, an hour by the file system's time for others. */
const removeAbandoned = async (path: string): Promise<void> => {
  const [written, prefix, pattern] = [await statExact(path), tempPrefix(path), /^\.(.+)\.[0-9a-f]{8}\.(\d+)\.\d+\.tmp$/]
  for (const name of await readdir(dirname(path))) {
    const [, base, pid] = pattern.exec(name) ?? []
    if (base !== basename(path)) continue
    const tempPath = join(dirname(path), name)
    const since = (await statExact(tempPath))?.mtimeNs
    const old = written !== undefined && since !== undefined && written.mtimeNs - since > abandonedAfterNanoseconds
    if (old || (name.startsWith(prefix) && !isAlive(Number(pid)))) await rm(tempPath, { force: true })
  }
}

const storageFailure = (cause: unknown): never => {
  throw new AppError('unavailable', 'service-unavailable', 'A file of the data folder cannot be written.', { cause })
}

/**
 * Puts `text` in place of the file at `path`, or makes it: readers see the old text or the new, never a part, and the new one is
 * durable when it resolves. Mode, owner (where allowed) and a symbolic link stay; a new file is for its owner only. Throws
 * AppError `unavailable`, and what `beforeRename` throws; either way nothing is left behind.
 */
export const replaceFile = async (path: string, text: string, { beforeRename }: ReplaceFileOptions = {}): Promise<void> => {
  const target = (await realpath(path).catch(ignoring('ENOENT')).catch(storageFailure)) ?? path
  const { tempPath, file } = await openTemp(target).catch(storageFailure)
  try {
    await fillTemp(target, file, text)
      .finally(() => file.close())
      .catch(storageFailure)
    await beforeRename?.()
    await rename(tempPath, target).catch(storageFailure)
  } catch (error) {
    await rm(tempPath, { force: true })
    throw error
  }
  await syncFolder(target).catch(storageFailure)
  await removeAbandoned(target).catch(storageFailure)
}
