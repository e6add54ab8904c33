import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups, BackupWork } from '../../shared/backups/backup.ts'
import { backedUp } from '../../shared/backups/files/backup-places.ts'
import { syncPath } from '../../shared/backups/files/create-backups.ts'
import { listUsers } from '../../shared/backups/lmdb/list-users.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { restoringName } from '../../shared/storage/files/restore-marker.ts'

export type RestoreDeps = {
  readonly dataDir: string
  readonly backupDir: string
  readonly backups: Backups
  readonly print: (text: string) => void
}

const refuse = (detail: string): AppError => new AppError('conflict', 'conflict', detail)

const replacedName = (): string => `replaced-${new Date().toISOString().replaceAll(':', '-')}`

/** The parts that are there. */
const listParts = async (dataDir: string): Promise<readonly string[]> => {
  const names: string[] = await readdir(dataDir).catch(() => [])
  return backedUp.filter((part) => names.includes(part))
}

const refuseUsed = async (dataDir: string): Promise<void> => {
  const pids = await listUsers(dataDir).catch((error: unknown) => {
    // What cannot be opened is what is to be replaced, and nobody runs on it.
    if (error instanceof Error && !(error instanceof AppError)) return []
    throw error
  })
  if (pids.length > 0) throw refuse(`Something runs on the data folder (process ${pids.join(', ')}): stop it first.`)
}

/** Keeps what is about to be replaced as a backup; whether that could be done: what is damaged may be what a restore is for. */
const keepReplaced = async ({ backups, print }: RestoreDeps, work: BackupWork): Promise<boolean> => {
  try {
    const { id } = await backups.create(work)
    print(`What is replaced is kept as ${id}.\n`)
    return true
  } catch (error) {
    if (work.signal.aborted || !(error instanceof AppError) || error.slug === 'storage-full' || error.kind === 'conflict')
      throw error
    print(`What is replaced cannot be made a backup of: ${error.publicDetail}\n`)
    return false
  }
}

const syncTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await syncPath(join(entry.parentPath, entry.name))
  await syncPath(folder)
}

/**
 * Puts a backup in place of what is in the data folder. It is read back first, then copied beside, and last renamed into place; a server
 * refuses to start on a folder in which that was cut short. Throws AppError.
 */
export const restoreBackup = async (
  deps: RestoreDeps,
  { id, isReplacing }: { readonly id: string; readonly isReplacing: boolean },
  work: BackupWork,
): Promise<void> => {
  const { dataDir, backupDir, backups, print } = deps
  await backups.get(id)
  const parts = await listParts(dataDir)
  const marker = join(dataDir, restoringName)
  const isCutShort = (await readdir(marker).catch(() => undefined)) !== undefined
  if (parts.length > 0 && !isReplacing)
    throw refuse('The data folder is not empty: --replace makes a backup of what is there first, and puts this one in its place.')
  await refuseUsed(dataDir)
  print('Reading every record of the backup…\n')
  await backups.verify(id, work)
  const isKept = parts.length === 0 || (!isCutShort && (await keepReplaced(deps, work)))
  work.signal.throwIfAborted()
  // Of a restore that was cut short: what it has taken out of its place stays.
  if (isCutShort) await rename(marker, join(dataDir, replacedName()))
  await mkdir(join(marker, 'old'), { recursive: true, mode: 0o700 })
  for (const part of backedUp) {
    const from = join(backupDir, id, part)
    await cp(from, join(marker, part), { recursive: true, filter: (path) => !path.endsWith('lock.mdb') }).catch(
      (error: unknown) => {
        if (!(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT')) throw error
      },
    )
  }
  await syncTree(marker)
  await syncPath(dataDir)
  const brought = await readdir(marker)
  for (const part of backedUp) {
    if ((await listParts(dataDir)).includes(part)) await rename(join(dataDir, part), join(marker, 'old', part))
    if (brought.includes(part)) await rename(join(marker, part), join(dataDir, part))
  }
  await syncPath(dataDir)
  if (!isKept) {
    const aside = replacedName()
    await rename(join(marker, 'old'), join(dataDir, aside))
    print(`It lies in the data folder as ${aside}.\n`)
  }
  await rm(marker, { recursive: true })
  await syncPath(dataDir)
}
