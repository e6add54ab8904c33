import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import { fileVersion, replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import { withFileLock } from '../../../../platform/storage/files/file-lock.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import { etagOf } from '../config-etag.ts'
import {
  type ConfigFiles,
  type ConfigSave,
  configBytesMax,
  configTooLarge,
  isConfigFileName,
  noSuchConfig,
  revisionsMax,
  staleConfig,
} from '../config-files.ts'
import { createRevisionLog, findInForce, type RevisionLog } from '../config-files-revisions.ts'
import { decodeConfig, decodeRevision, describeSaveFailure, readFileOnDisk } from './config-file-on-disk.ts'
import { createDefaultPath } from './default-path.ts'

export type EmbeddedConfigFilesOptions = {
  /** The folder with the texts that admins edit, under `config/`. */
  readonly dataDir: string
  /** The folder with the default of each config file, `resources/config`; it defines which exist. Never written. */
  readonly bundledDir: string
  /** The file with the default of `server.yaml`; the bundled one if absent. */
  readonly serverDefaults?: string | undefined
  /** The store of the revisions. */
  readonly store: Store
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

type ConfigOnDisk = {
  readonly bytes: Buffer
  readonly etag: string
  /** Undefined for a bundled default. */
  readonly modifiedMs: number | undefined
}

type ConfigReplacement = {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly save: ConfigSave
  readonly clock: Clock
  readonly revisionLog: RevisionLog
  readonly find: () => Promise<ConfigOnDisk>
}

/** How often a save starts again because another program edits the file at the same moment. */
const attemptsMax = 20

const atIso = (ms: number): string => new Date(ms).toISOString()

/** Stores the active text, unless its own save did, then the text that replaces it. True if the latter was not stored before. */
const keepBoth = async (
  current: ConfigOnDisk,
  next: Buffer,
  { name, save, clock, revisionLog }: ConfigReplacement,
): Promise<boolean> => {
  const { bytes, etag, modifiedMs } = current
  const now = atIso(clock.now())
  const saved = await revisionLog.list(name)
  const kept = findInForce(saved, etag)
  if (kept === undefined) {
    const origin =
      modifiedMs === undefined ? { savedAt: now, savedBy: 'default' } : { savedAt: atIso(modifiedMs), savedBy: 'file' }
    await revisionLog.append(name, { bytes, etag, ...origin })
    // A text further down would soon expire. The second one may belong to an interrupted save.
  } else if (saved.indexOf(kept) > 1) await revisionLog.raise(name, kept.revision)
  return revisionLog.append(name, { bytes: next, etag: etagOf(next), savedAt: now, savedBy: save.savedBy })
}

/**
 * Replaces a config file while holding the lock of all. Writes the text next to the file, then stores it and the previous text as revisions,
 * and only then replaces the file. Starts again if a program without the lock edits the file in the meantime.
 */
const replaceConfig = async (replacement: ConfigReplacement): Promise<{ readonly etag: string }> => {
  const { name, path, text, save, revisionLog, find } = replacement
  const bytes = Buffer.from(text, 'utf8')
  const etag = etagOf(bytes)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const version = await fileVersion(path)
    const current = await find()
    if (save.ifEtag !== undefined && save.ifEtag !== current.etag) throw staleConfig(name)
    if (etag === current.etag) return { etag }
    const moved = new Error('the config file was edited in the meantime')
    const isMoved = async () => (await fileVersion(path)) !== version
    const beforeRename = async () => {
      if (await isMoved()) throw moved
      const isNew = await keepBoth(current, bytes, replacement)
      if (!(await isMoved())) return
      if (isNew) await revisionLog.dropNewest(name)
      throw moved
    }
    try {
      await replaceFile(path, text, { beforeRename })
      return { etag }
    } catch (error) {
      if (error !== moved) throw error
    }
  }
  throw new AppError('unavailable', 'service-unavailable', `Too many edits of ${name} at once. Try again in a moment.`, {
    retryAfterSeconds: 1,
  })
}

/**
 * Config texts from the data folder, otherwise the bundled ones. Any number of processes on this machine share them with people who edit the
 * files (docs/architecture/configs.md). A name without a config file throws AppError `not-found`.
 */
export const createEmbeddedConfigFiles = (options: EmbeddedConfigFilesOptions): ConfigFiles => {
  const { dataDir, bundledDir, serverDefaults, store, clock, ids } = options
  const pathOf = createDefaultPath(bundledDir, serverDefaults)
  const configDir = join(dataDir, 'config')
  const revisionLog = createRevisionLog(store, ids)

  const findFile = async (name: string): Promise<ConfigOnDisk> => {
    if (!isConfigFileName(name)) throw noSuchConfig()
    const bundled = await readFileOnDisk(pathOf(name), name)
    if (bundled === undefined) throw noSuchConfig()
    const own = await readFileOnDisk(join(configDir, name), name)
    const { bytes } = own ?? bundled
    return { bytes, etag: etagOf(bytes), modifiedMs: own?.modifiedMs }
  }

  /** Undefined if the file exists but cannot be read. */
  const findEtag = async (name: string): Promise<string | undefined> => {
    try {
      return (await findFile(name)).etag
    } catch (error) {
      if (error instanceof AppError && error.kind !== 'not-found') return undefined
      throw error
    }
  }

  return {
    read: async (name) => {
      const { bytes, etag, modifiedMs } = await findFile(name)
      return { text: decodeConfig(bytes, name), etag, source: modifiedMs === undefined ? 'default' : 'data' }
    },
    write: async (name, text, save) => {
      if (Buffer.byteLength(text) > configBytesMax) throw configTooLarge(name)
      const path = join(configDir, name)
      const find = () => findFile(name)
      try {
        await find()
        await mkdir(dirname(path), { recursive: true })
        return await withFileLock(join(configDir, '.configs'), () =>
          replaceConfig({ name, path, text, save, clock, revisionLog, find }),
        )
      } catch (error) {
        throw describeSaveFailure(name, error)
      }
    },
    findOrigin: async (name) => {
      const { etag, modifiedMs } = await findFile(name)
      if (modifiedMs === undefined) return undefined
      const saved = findInForce(await revisionLog.list(name), etag)
      if (saved === undefined || saved.savedBy === 'default')
        return { savedAt: new Date(Math.floor(modifiedMs)).toISOString(), savedBy: 'file' }
      return { savedAt: saved.savedAt, savedBy: saved.savedBy }
    },
    revisions: async (name) => {
      const etag = await findEtag(name)
      const saved = await revisionLog.list(name)
      const inForce = findInForce(saved, etag)
      const earlier = saved.filter((one) => one !== inForce).slice(0, revisionsMax)
      return earlier.map(({ revision, savedAt, savedBy }) => ({ revision, savedAt, savedBy }))
    },
    findRevision: async (name, revision) => {
      const bytes = await revisionLog.find(name, revision)
      return bytes && decodeRevision(bytes, name)
    },
  }
}
