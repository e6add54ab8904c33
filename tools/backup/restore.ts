import { cp, mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups, BackupWork } from '../../shared/domain/backups/backup.ts'
import { backedUp, listParts, sizeOfFolder } from '../../shared/domain/backups/files/backup-folders.ts'
import { listUsers } from '../../shared/domain/backups/lmdb/list-users.ts'
import { dropTokens } from '../../shared/domain/tokens/records/record-token-store.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { codeOf } from '../../shared/platform/storage/files/code-of.ts'
import { holdFileLock } from '../../shared/platform/storage/files/file-lock.ts'
import { folderModeAt } from '../../shared/platform/storage/files/group-folder.ts'
import { movePath, syncPath, syncTree } from '../../shared/platform/storage/files/move-folder.ts'
import { restoringName } from '../../shared/platform/storage/files/restore-marker.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'

const stopFirst = (who: string): AppError =>
  new AppError('conflict', 'conflict', `The data folder is in use (${who}). Stop it first.`)

const ending = '.lock'

/** A lock that does not exist has no holder. To create it would write to the folder. */
const listLocks = async (folder: string, isMeant: (name: string) => boolean): Promise<readonly string[]> => {
  const names: string[] = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith(ending) && isMeant(name)).map((name) => join(folder, name))
}

/** Whether a server holds one of its locks, of the jobs of the folder or of a world. The kernel knows. */
const isLocked = async (dataDir: string): Promise<boolean> => {
  const locks = [
    ...(await listLocks(dataDir, (name) => name === `jobs${ending}`)),
    ...(await listLocks(join(dataDir, 'worlds'), (name) => name.endsWith(`.lease${ending}`))),
  ]
  for (const path of locks) {
    const lock = holdFileLock(path.slice(0, -ending.length))
    if (lock === undefined) return true
    lock.release()
  }
  return false
}

/** Throws AppError `conflict` if the data folder is in use, even if its records are damaged while a server has them open. */
const refuseUsed = async (dataDir: string): Promise<void> => {
  const pids = await listUsers(dataDir).catch((error: unknown) => {
    // Unreadable records are what the restore replaces. Only locks show whether the folder is in use.
    if (error instanceof Error && !(error instanceof AppError)) return []
    throw error
  })
  if (pids.length > 0) throw stopFirst(`process ${pids.join(', ')}`)
  if (await isLocked(dataDir)) throw stopFirst('a server holds a lock in it')
}

export type RestoreDeps = {
  readonly dataDir: string
  readonly backupDir: string
  readonly backups: Backups
  readonly print: (text: string) => void
}

/** The copy of the backup, made before the restore changes the data folder. */
const copyName = `${restoringName}.new`
/** Space to leave free besides the copy. */
const roomKeptBytes = 64 * 2 ** 20

const refuse = (detail: string): AppError => new AppError('conflict', 'conflict', detail)

const stamp = (): string => new Date().toISOString().replaceAll(':', '-')

/** Entries of a folder; empty if it is absent. */
const listFolder = async (folder: string): Promise<readonly string[]> => await readdir(folder).catch(() => [])

const sizeOfParts = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const part of await listParts(folder)) bytes += await sizeOfFolder(join(folder, part))
  return bytes
}

const expectFree = async (folder: string, needed: number, what: string): Promise<void> => {
  const { bavail, bsize, blocks } = await statfs(folder)
  // Some file systems report nothing.
  if (blocks === 0 || bavail * bsize >= needed) return
  const detail = `The backup does not fit on ${what}: it needs ${Math.ceil(needed / 2 ** 20)} MiB. Nothing was changed. Free space and try again.`
  throw new AppError('unavailable', 'storage-full', detail)
}

/**
 * Throws AppError `unavailable` (`storage-full`) unless the disk has room for the backup, and with `isKeeping` also for the
 * replaced data if it goes to the same disk.
 */
const expectRoom = async (dataDir: string, backup: string, isKeeping: boolean): Promise<void> => {
  const isOnIt = isKeeping && (await stat(dataDir)).dev === (await stat(backup)).dev
  let needed = (await sizeOfParts(backup)) + (isOnIt ? await sizeOfParts(dataDir) : 0) + roomKeptBytes
  for (const part of await listParts(dataDir)) {
    if (!(await isOnOwnDisk(dataDir, part))) continue
    // Its previous content stays on the disk of the data folder until the backup is in place.
    const replaced = await sizeOfFolder(join(dataDir, part))
    needed += replaced
    const incoming = await sizeOfFolder(join(backup, part)).catch(() => 0)
    await expectFree(join(dataDir, part), incoming - replaced, `the disk of ${part} in the data folder`)
  }
  await expectFree(dataDir, needed, 'the disk of the data folder')
}

/** Backs up the current data first. Returns false if that fails: damaged data may be the reason for the restore. */
const keepReplaced = async ({ backups, print }: RestoreDeps, work: BackupWork): Promise<boolean> => {
  try {
    const { id } = await backups.create(work)
    print(`Backed up the replaced data as ${id}.\n`)
    return true
  } catch (error) {
    if (work.signal.aborted || !(error instanceof AppError) || error.slug === 'storage-full' || error.kind === 'conflict')
      throw error
    print(`The replaced data cannot be backed up: ${error.publicDetail}\n`)
    return false
  }
}

/** Whether a part of the data folder is a mount: a mount stays in place, and only its content moves. */
const isOnOwnDisk = async (dataDir: string, part: string): Promise<boolean> => {
  const found = await stat(join(dataDir, part)).catch(() => undefined)
  return found !== undefined && found.dev !== (await stat(dataDir)).dev
}

/** File systems create it, and it cannot be moved. */
const ofTheDisk = 'lost+found'

const moveContents = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true, mode: folderModeAt(to) })
  for (const name of await readdir(from)) if (name !== ofTheDisk) await movePath(join(from, name), join(to, name))
  await syncPath(to)
}

/** Moves a part of the data folder out of it. For a mount on the same disk, the system refuses only the rename. */
const takeOut = async (dataDir: string, old: string, part: string): Promise<void> => {
  const [from, to] = [join(dataDir, part), join(old, part)]
  if (await isOnOwnDisk(dataDir, part)) return moveContents(from, to)
  await rename(from, to).catch((error: unknown) => {
    if (codeOf(error) !== 'EBUSY') throw error
    return moveContents(from, to)
  })
}

/** Moves a part of the copy into place. The folder of a mount stays. */
const putIn = async (copy: string, dataDir: string, part: string): Promise<void> => {
  const isThere = (await stat(join(dataDir, part)).catch(() => undefined)) !== undefined
  if (isThere) await moveContents(join(copy, part), join(dataDir, part))
  else await rename(join(copy, part), join(dataDir, part))
}

/** A token that was revoked after the backup must not become valid again: people sign in again. */
const dropTokensOf = async (records: string): Promise<void> => {
  const store = createLmdbStore({ path: records, ids: systemIds })
  try {
    await dropTokens(store)
  } finally {
    await store.close()
  }
  await rm(join(records, 'lock.mdb'), { force: true })
}

/** Copies all parts of a backup. The copy is durable when this resolves. */
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
  const reason = isFull ? 'the disk is full' : `the system reports ${codeOf(cause)}`
  const rest = isCutShort ? 'Fix that and run the command again.' : 'The data folder has not changed.'
  const detail = `The backup cannot be copied to the disk of the data folder: ${reason}. ${rest}`
  return new AppError('unavailable', isFull ? 'storage-full' : 'service-unavailable', detail, { cause })
}

/** Data that interrupted restores took out of the data folder: folders in the one that marks them. */
const listTaken = async (marker: string): Promise<readonly string[]> => {
  const taken: string[] = []
  for (const name of await listFolder(marker))
    if (name.startsWith('old') && (await listFolder(join(marker, name))).length > 0) taken.push(name)
  return taken
}

/**
 * Replaces the data folder with a backup: verifies the backup, copies it next to the data, and renames it into place last. A
 * server refuses to start on a folder with an interrupted rename. A failure before the rename leaves the folder unchanged.
 * Throws AppError.
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
    throw refuse('The data folder is not empty. Add --replace to back up its data and replace it with this backup.')
  await refuseUsed(dataDir)
  print('Verifying every record of the backup…\n')
  await backups.verify(id, work)
  const backup = join(backupDir, id)
  const [marker, copy] = [join(dataDir, restoringName), join(dataDir, copyName)]
  const isCutShort = (await readdir(marker).catch(() => undefined)) !== undefined
  const taken = await listTaken(marker)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Copies of a killed restore.
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
    // A server may have started in the meantime. From here on none can.
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
    print(`It is in the data folder as ${aside}.\n`)
  }
  await rm(copy, { recursive: true })
  await rm(marker, { recursive: true })
  await syncPath(dataDir)
}
