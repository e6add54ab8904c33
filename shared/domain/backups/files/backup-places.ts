import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { codeOf } from '../../../platform/storage/files/code-of.ts'
import { folderModeAt } from '../../../platform/storage/files/group-folder.ts'
import type { Copied } from '../lmdb/copy-messages.ts'

/** The parts of a data folder that a backup holds; the map is drawn again, and locks are of the moment. */
export const backedUp = ['records', 'worlds', 'config'] as const

/** Those parts that are in a folder; none where it is absent. */
export const listParts = async (folder: string): Promise<readonly string[]> => {
  const names: string[] = await readdir(folder).catch(() => [])
  return backedUp.filter((part) => names.includes(part))
}

const isWithin = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
}

/** What the system said, for people; without a path, which nobody outside is told. */
export const folderFault = (cause: unknown): AppError => {
  const code = String(codeOf(cause))
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('unavailable', 'storage-full', 'There is no room left for a backup; nothing was kept of it.', { cause })
  const reason = ['EROFS', 'EACCES', 'EPERM'].includes(code) ? 'it may not be written' : `the system says ${code}`
  const detail = `The folder of the backups (BACKUP_DIR) cannot be used: ${reason}.`
  return new AppError('unavailable', 'service-unavailable', detail, { cause })
}

/** Makes the folder of the backups; throws AppError where it cannot be, or would be a part of what is backed up. */
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
      'The folder of the backups (BACKUP_DIR) is a part of what is backed up: set it to another, outside of the data folder or its "backups".',
    )
}

/** Whether a file is there. */
export const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() === true

/** The LMDB environments of a data folder and where their copies go: the records, and the worlds that have chunks. */
export const listEnvironments = async (dataDir: string, target: string): Promise<readonly Copied[]> => {
  const worlds = await readdir(join(dataDir, 'worlds')).catch(() => [])
  const names = ['records', ...worlds.filter((name) => !name.startsWith('.')).map((name) => join('worlds', name))]
  const found: Copied[] = []
  for (const name of names)
    if (await isFile(join(dataDir, name, 'data.mdb'))) found.push({ from: join(dataDir, name), to: join(target, name) })
  return found
}

/** The bytes of all files below a folder. */
export const sizeOfFolder = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name !== 'lock.mdb') bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

/** Config files by their path below a folder; locks and what is half written are not among them. */
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
