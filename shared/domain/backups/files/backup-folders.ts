import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { codeOf } from '../../../platform/storage/files/code-of.ts'
import { folderModeAt } from '../../../platform/storage/files/group-folder.ts'
import type { Copied } from '../lmdb/copy-messages.ts'

/** The parts of a data folder that a backup contains. The map can be redrawn, and locks are temporary. */
export const backedUp = ['records', 'worlds', 'config'] as const

/** The parts that exist in a folder; empty if the folder does not exist. */
export const listParts = async (folder: string): Promise<readonly string[]> => {
  const names: string[] = await readdir(folder).catch(() => [])
  return backedUp.filter((part) => names.includes(part))
}

const isWithin = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
}

/** The error of the file system for people, without a path, which must not be public. */
export const folderFault = (cause: unknown): AppError => {
  const code = String(codeOf(cause))
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('unavailable', 'storage-full', 'There is not enough disk space for a backup. Nothing was stored.', {
      cause,
    })
  const reason = ['EROFS', 'EACCES', 'EPERM'].includes(code) ? 'it is not writable' : `the system says ${code}`
  const detail = `The backup folder (BACKUP_DIR) cannot be used: ${reason}.`
  return new AppError('unavailable', 'service-unavailable', detail, { cause })
}

/** Creates the backup folder. Throws AppError if that fails, or if the folder is inside the data that is backed up. */
export const prepareBackupDir = (backupDir: string, dataDir: string): void => {
  try {
    mkdirSync(backupDir, { recursive: true, mode: folderModeAt(backupDir) })
  } catch (cause) {
    throw folderFault(cause)
  }
  const [backups, data] = [realpathSync(backupDir), realpathSync(dataDir)]
  if (backups === data || backedUp.some((part) => isWithin(join(data, part), backups)))
    throw new AppError(
      'unavailable',
      'service-unavailable',
      'The backup folder (BACKUP_DIR) is inside the data that is backed up. Set it to a folder outside the data folder, or to its "backups".',
    )
}

export const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() === true

/** The LMDB environments of a data folder with the targets of their copies: the records, and the worlds that have chunks. */
export const listEnvironments = async (dataDir: string, target: string): Promise<readonly Copied[]> => {
  const worlds = await readdir(join(dataDir, 'worlds')).catch(() => [])
  const names = ['records', ...worlds.filter((name) => !name.startsWith('.')).map((name) => join('worlds', name))]
  const found: Copied[] = []
  for (const name of names)
    if (await isFile(join(dataDir, name, 'data.mdb'))) found.push({ from: join(dataDir, name), to: join(target, name) })
  return found
}

/** The total size of all files below a folder. */
export const sizeOfFolder = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name !== 'lock.mdb') bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

/** Config files by their path below a folder, without locks and partially written files. */
export const readConfigs = async (configDir: string): Promise<ReadonlyMap<string, Uint8Array>> => {
  const texts = new Map<string, Uint8Array>()
  const entries = await readdir(configDir, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  for (const { name, parentPath } of entries) {
    const path = join(parentPath, name)
    if (name.startsWith('.') || name.endsWith('.lock') || !(await isFile(path))) continue
    texts.set(relative(configDir, path).split(sep).join('/'), await readFile(path))
  }
  return texts
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
