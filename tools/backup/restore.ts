import { cp, mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups, BackupWork } from '../../shared/domain/backups/backup.ts'
import { backedUp, listParts, sizeOfFolder } from '../../shared/domain/backups/files/backup-places.ts'
import { dropTokens } from '../../shared/domain/tokens/tokens-in-records.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { codeOf } from '../../shared/platform/storage/files/code-of.ts'
import { folderModeAt } from '../../shared/platform/storage/files/group-folder.ts'
import { movePath, syncPath, syncTree } from '../../shared/platform/storage/files/move-folder.ts'
import { restoringName } from '../../shared/platform/storage/files/restore-marker.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import { refuseUsed } from './refuse-used.ts'

export type RestoreDeps = {
  readonly dataDir: string
  readonly backupDir: string
  readonly backups: Backups
  readonly print: (text: string) => void
}

/** Where the backup is copied to, before anything of the data folder is touched. */
const copyName = `${restoringName}.new`
/** Stays free beside what is copied. */
const roomKeptBytes = 64 * 2 ** 20

const refuse = (detail: string): AppError => new AppError('conflict', 'conflict', detail)

const stamp = (): string => new Date().toISOString().replaceAll(':', '-')

/** What is in a folder; nothing where it is absent. */
const listFolder = async (folder: string): Promise<readonly string[]> => await readdir(folder).catch(() => [])

const sizeOfParts = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const part of await listParts(folder)) bytes += await sizeOfFolder(join(folder, part))
  return bytes
}

const expectFree = async (folder: string, needed: number, what: string): Promise<void> => {
  const { bavail, bsize, blocks } = await statfs(folder)
  // Some file systems do not tell.
  if (blocks === 0 || bavail * bsize >= needed) return
  const detail = `There is no room for it on ${what}: it takes ${Math.ceil(needed / 2 ** 20)} MiB. Nothing was changed.`
  throw new AppError('unavailable', 'storage-full', detail)
}

/** Throws AppError `unavailable`, slug `storage-full`, unless the disk takes the backup, and with `isKeeping` what is replaced where that comes to lie on it. */
const expectRoom = async (dataDir: string, backup: string, isKeeping: boolean): Promise<void> => {
  const isOnIt = isKeeping && (await stat(dataDir)).dev === (await stat(backup)).dev
  let needed = (await sizeOfParts(backup)) + (isOnIt ? await sizeOfParts(dataDir) : 0) + roomKeptBytes
  for (const part of await listParts(dataDir)) {
    if (!(await isOnOwnDisk(dataDir, part))) continue
    // What was in it waits on the disk of the data folder until the backup is in its place.
    const replaced = await sizeOfFolder(join(dataDir, part))
    needed += replaced
    const incoming = await sizeOfFolder(join(backup, part)).catch(() => 0)
    await expectFree(join(dataDir, part), incoming - replaced, `the disk of ${part} in the data folder`)
  }
  await expectFree(dataDir, needed, 'the disk of the data folder')
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

/** Whether a part of the data folder is on a disk of its own: a mount stays where it is, and what is in it moves. */
const isOnOwnDisk = async (dataDir: string, part: string): Promise<boolean> => {
  const found = await stat(join(dataDir, part)).catch(() => undefined)
  return found !== undefined && found.dev !== (await stat(dataDir)).dev
}

/** File systems have it, and it cannot be moved. */
const ofTheDisk = 'lost+found'

const moveContents = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true, mode: folderModeAt(to) })
  for (const name of await readdir(from)) if (name !== ofTheDisk) await movePath(join(from, name), join(to, name))
  await syncPath(to)
}

/** Moves a part of the data folder out of it. A mount on the same disk is told by the system only when it is to be renamed. */
const takeOut = async (dataDir: string, old: string, part: string): Promise<void> => {
  const [from, to] = [join(dataDir, part), join(old, part)]
  if (await isOnOwnDisk(dataDir, part)) return moveContents(from, to)
  await rename(from, to).catch((error: unknown) => {
    if (codeOf(error) !== 'EBUSY') throw error
    return moveContents(from, to)
  })
}

/** Moves a part of the copy into place, where the folder of a mount stayed. */
const putIn = async (copy: string, dataDir: string, part: string): Promise<void> => {
  const isThere = (await stat(join(dataDir, part)).catch(() => undefined)) !== undefined
  if (isThere) await moveContents(join(copy, part), join(dataDir, part))
  else await rename(join(copy, part), join(dataDir, part))
}

/** A token that was revoked after the backup must not come back with it: people sign in again. */
const dropTokensOf = async (records: string): Promise<void> => {
  const store = createLmdbStore({ path: records, ids: systemIds })
  try {
    await dropTokens(store)
  } finally {
    await store.close()
  }
  await rm(join(records, 'lock.mdb'), { force: true })
}

/** A whole copy of the parts of a backup, on the disk when it resolves. */
const copyBackup = async (backup: string, copy: string, signal: AbortSignal): Promise<void> => {
  await mkdir(copy, { mode: folderModeAt(copy) })
  for (const part of await listParts(backup)) {
    signal.throwIfAborted()
    await cp(join(backup, part), join(copy, part), { recursive: true, filter: (path) => !path.endsWith('lock.mdb') })
  }
  if ((await listParts(copy)).includes('records')) await dropTokensOf(join(copy, 'records'))
  await syncTree(copy)
}

const copyFault = (cause: unknown, isCutShort: boolean): AppError => {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(String(codeOf(cause)))
  const reason = isFull ? 'there is no room left' : `the system says ${codeOf(cause)}`
  const rest = isCutShort ? 'Mend that, and run it again.' : 'The data folder is as it was.'
  const detail = `The backup cannot be copied to the disk of the data folder: ${reason}. ${rest}`
  return new AppError('unavailable', isFull ? 'storage-full' : 'service-unavailable', detail, { cause })
}

/** What restores that were cut short have taken out of the data folder: folders in the one that marks them. */
const listTaken = async (marker: string): Promise<readonly string[]> => {
  const taken: string[] = []
  for (const name of await listFolder(marker))
    if (name.startsWith('old') && (await listFolder(join(marker, name))).length > 0) taken.push(name)
  return taken
}

/**
 * Puts a backup in place of what is in the data folder. It is read back first, then copied beside, and last renamed into place; a server
 * refuses to start on a folder in which the renaming was cut short. What fails before that leaves the folder as it was. Throws AppError.
 */
export const restoreBackup = async (
  deps: RestoreDeps,
  { id, isReplacing }: { readonly id: string; readonly isReplacing: boolean },
  work: BackupWork,
): Promise<void> => {
  const { dataDir, backupDir, backups, print } = deps
  await backups.get(id)
  const parts = await listParts(dataDir)
  if (parts.length > 0 && !isReplacing)
    throw refuse('The data folder is not empty: --replace makes a backup of what is there first, and puts this one in its place.')
  await refuseUsed(dataDir)
  print('Reading every record of the backup…\n')
  await backups.verify(id, work)
  const backup = join(backupDir, id)
  const [marker, copy] = [join(dataDir, restoringName), join(dataDir, copyName)]
  const isCutShort = (await readdir(marker).catch(() => undefined)) !== undefined
  const taken = await listTaken(marker)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Copies that a killed restore left.
  await rm(copy, { recursive: true, force: true })
  for (const name of await listFolder(marker)) if (!taken.includes(name)) await rm(join(marker, name), { recursive: true })
  const isKeeping = parts.length > 0 && !isCutShort
  await expectRoom(dataDir, backup, isKeeping)
  const isKept = parts.length === 0 || (isKeeping && (await keepReplaced(deps, work)))
  const old = join(marker, `old-${stamp()}`)
  try {
    await copyBackup(backup, copy, work.signal)
    work.signal.throwIfAborted()
    await mkdir(old, { recursive: true, mode: folderModeAt(old) })
    await syncPath(dataDir)
    // A server may have started meanwhile; from here on none does.
    await refuseUsed(dataDir)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    await rm(isCutShort ? old : marker, { recursive: true, force: true })
    throw error instanceof AppError || work.signal.aborted ? error : copyFault(error, isCutShort)
  }
  for (const part of backedUp) {
    if ((await listParts(dataDir)).includes(part)) await takeOut(dataDir, old, part)
    if ((await listParts(copy)).includes(part)) await putIn(copy, dataDir, part)
  }
  await syncPath(dataDir)
  for (const [at, folder] of [...taken.map((name) => join(marker, name)), ...(isKept ? [] : [old])].entries()) {
    const aside = `replaced-${stamp()}${at === 0 ? '' : `-${at + 1}`}`
    await rename(folder, join(dataDir, aside))
    print(`It lies in the data folder as ${aside}.\n`)
  }
  await rm(copy, { recursive: true })
  await rm(marker, { recursive: true })
  await syncPath(dataDir)
}
