import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack } from 'tar-stream'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { holdFileLock, withFileLock } from '../../../platform/storage/files/file-lock.ts'
import { fileModeIn, folderModeAt } from '../../../platform/storage/files/group-folder.ts'
import { syncPath, syncTree } from '../../../platform/storage/files/move-folder.ts'
import { type Backups, type BackupWork, chooseKept, type Keep } from '../backup.ts'
import { startCopy } from '../lmdb/start-copy.ts'
import {
  backedUp,
  digestOf,
  folderFault,
  isFile,
  listEnvironments,
  prepareBackupDir,
  readConfigs,
  sizeOfFolder,
} from './backup-folders.ts'
import {
  createBackupId,
  findManifest,
  listManifests,
  type Manifest,
  manifestFormat,
  manifestName,
  viewBackup,
} from './backup-manifest.ts'

const addFile = async (archive: Pack, path: string, name: string): Promise<void> => {
  const { size, mtime } = await stat(path)
  if (size === 0) archive.entry({ name, mtime, mode: 0o600 }, '')
  else await pipeline(createReadStream(path), archive.entry({ name, size, mtime, mode: 0o600 }))
}

const addFolder = async (archive: Pack, folder: string, prefix: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile() && one.name !== 'lock.mdb').map((one) => join(one.parentPath, one.name))
  for (const path of paths.sort()) await addFile(archive, path, [prefix, ...relative(folder, path).split(sep)].join('/'))
  archive.finalize()
}

/** The files below a folder as a tar archive with one top folder, `prefix`. Locks are left out. */
const archiveFolder = (folder: string, prefix: string): AsyncIterable<Uint8Array> => {
  const archive = pack()
  addFolder(archive, folder, prefix).catch((error: Error) => archive.destroy(error))
  return archive as AsyncIterable<Uint8Array>
}

export type BackupsDeps = {
  readonly dataDir: string
  readonly backupDir: string
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uuid'>
  /** Selects the backups that stay after a new one; all if absent. */
  readonly keep?: () => Keep
}

const makingPrefix = '.making-'
/** Disk space that stays free besides a backup. */
const roomKeptBytes = 64 * 2 ** 20

const notFound = (): AppError => new AppError('not-found', 'not-found', 'There is no backup with that id.')
const damaged = (reason: string): AppError => new AppError('unprocessable', 'damaged-backup', `The backup is damaged: ${reason}.`)

const expectRoom = async (dataDir: string, backupDir: string): Promise<void> => {
  let needed = roomKeptBytes
  for (const part of backedUp) needed += await sizeOfFolder(join(dataDir, part)).catch(() => 0)
  const { bavail, bsize, blocks } = await statfs(backupDir)
  // Some file systems report no sizes.
  if (blocks !== 0 && bavail * bsize < needed) throw folderFault({ code: 'ENOSPC' })
}

/** Holds the lock of the folder, so that two processes never create or delete backups at once. */
const exclusively = async <T>({ dataDir, backupDir }: BackupsDeps, work: () => Promise<T>): Promise<T> => {
  prepareBackupDir(backupDir, dataDir)
  const lock = holdFileLock(join(backupDir, '.backups'))
  if (lock === undefined) throw new AppError('conflict', 'conflict', 'Another backup is in progress. Wait until it has finished.')
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** The config texts at the moment of the copy. Its locks prevent changes of configs, accounts and records. */
const copyMoment = async ({ dataDir, clock }: BackupsDeps, making: string, signal: AbortSignal) => {
  const configDir = join(dataDir, 'config')
  const copy = await startCopy(signal)
  const moment = await withFileLock(join(configDir, '.configs'), () =>
    withFileLock(join(configDir, 'users.yaml'), async () => {
      copy.order({ kind: 'copy', environments: await listEnvironments(dataDir, making) })
      await copy.taken
      return { at: new Date(clock.now()).toISOString(), texts: await readConfigs(configDir) }
    }),
  )
  await copy.done
  return moment
}

const writeConfigs = async (folder: string, texts: ReadonlyMap<string, Uint8Array>): Promise<Record<string, string>> => {
  const digests: Record<string, string> = {}
  await mkdir(folder, { recursive: true, mode: folderModeAt(folder) })
  for (const [name, bytes] of texts) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: folderModeAt(join(folder, name)) })
    await writeFile(join(folder, name), bytes, { mode: fileModeIn(folder) })
    digests[name] = digestOf(bytes)
  }
  return digests
}

const writeManifest = async (folder: string, manifest: Manifest): Promise<void> => {
  const path = join(folder, manifestName)
  await writeFile(`${path}.new`, JSON.stringify(manifest, undefined, 2), { mode: fileModeIn(folder) })
  await syncPath(`${path}.new`)
  await rename(`${path}.new`, path)
  await syncPath(folder)
}

const make = async (deps: BackupsDeps, { signal, tell }: BackupWork): Promise<Manifest> => {
  const { dataDir, backupDir, clock, ids } = deps
  // Remove leftovers of a killed process.
  for (const name of await readdir(backupDir))
    if (name.startsWith(makingPrefix)) await rm(join(backupDir, name), { recursive: true, force: true })
  await expectRoom(dataDir, backupDir)
  const id = createBackupId(clock.now(), ids.uuid())
  const making = join(backupDir, makingPrefix + id)
  try {
    await mkdir(making, { mode: folderModeAt(making) })
    tell({ progress: 0, detail: 'Copying the data.' })
    const { at, texts } = await copyMoment(deps, making, signal)
    signal.throwIfAborted()
    const configs = await writeConfigs(join(making, 'config'), texts)
    const worlds = (await readdir(join(making, 'worlds')).catch(() => [])).sort()
    const manifest = { format: manifestFormat, id, at, worlds, sizeBytes: await sizeOfFolder(making), configs } as const
    // All files must survive a power cut before the manifest lists them.
    await syncTree(making)
    await writeManifest(making, manifest)
    await rename(making, join(backupDir, id))
    await syncPath(backupDir)
    return manifest
  } catch (error) {
    await rm(making, { recursive: true, force: true }).catch(() => undefined)
    if (error instanceof AppError || signal.aborted) throw error
    throw folderFault(error)
  }
}

const checkConfigs = async (folder: string, { configs }: Manifest): Promise<void> => {
  for (const [name, digest] of Object.entries(configs)) {
    const bytes = await readFile(join(folder, 'config', name)).catch(() => undefined)
    if (bytes === undefined || digestOf(bytes) !== digest) throw damaged(`config/${name} is missing or has changed`)
  }
}

const verify = async ({ backupDir, clock }: BackupsDeps, manifest: Manifest, { signal, tell }: BackupWork): Promise<Manifest> => {
  const folder = join(backupDir, manifest.id)
  await checkConfigs(folder, manifest)
  for (const name of manifest.worlds)
    if (!(await isFile(join(folder, 'worlds', name, 'data.mdb')))) throw damaged(`the world "${name}" is missing`)
  let columns = 0
  const copy = await startCopy(signal, (more) => {
    columns += more
    tell({ progress: 0.75, detail: `Verifying: ${columns} chunks are intact.` })
  })
  copy.order({ kind: 'verify', folder })
  await copy.done
  const verified = { ...manifest, verifiedAt: new Date(clock.now()).toISOString() }
  // On a read-only disk the backup is verified, but the time cannot be stored.
  await writeManifest(folder, verified).catch(() => undefined)
  return verified
}

/** Renames first, so that a partially deleted backup is not listed. */
const erase = async ({ backupDir }: BackupsDeps, id: string): Promise<void> => {
  await rename(join(backupDir, id), join(backupDir, makingPrefix + id))
  await rm(join(backupDir, makingPrefix + id), { recursive: true, force: true })
}

const thin = async (deps: BackupsDeps): Promise<void> => {
  const { backupDir, keep } = deps
  if (keep === undefined) return
  const all = await listManifests(backupDir)
  const kept = chooseKept(all, keep())
  for (const { id } of all) if (!kept.has(id)) await erase(deps, id)
}

/** Backups of a data folder in `backupDir`, each in a folder named by its id. */
export const createBackups = (deps: BackupsDeps): Backups => {
  const getManifest = async (id: string): Promise<Manifest> => {
    const found = await findManifest(deps.backupDir, id)
    if (found === undefined) throw notFound()
    return found
  }
  return {
    list: async () => (await listManifests(deps.backupDir)).map(viewBackup),
    get: async (id) => viewBackup(await getManifest(id)),
    create: (work) =>
      exclusively(deps, async () => {
        const manifest = await make(deps, work)
        work.tell({ progress: 0.5, detail: 'Verifying.' })
        const verified = await verify(deps, manifest, work).catch(async (error: unknown) => {
          // A damaged backup stays and takes up space, so delete others as usual. The damage matters more than a failure of that.
          if (!work.signal.aborted) await thin(deps).catch(() => undefined)
          throw error
        })
        await thin(deps)
        return viewBackup(verified)
      }),
    archive: async (id) => {
      await getManifest(id)
      return archiveFolder(join(deps.backupDir, id), id)
    },
    remove: async (id) => {
      const manifest = await getManifest(id)
      await exclusively(deps, () => erase(deps, id))
      return viewBackup(manifest)
    },
    verify: async (id, work) => viewBackup(await verify(deps, await getManifest(id), work)),
  }
}
