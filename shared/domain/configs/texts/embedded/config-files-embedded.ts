import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import { withFileLock } from '../../../../platform/storage/files/file-lock.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import { etagOf } from '../config-etag.ts'
import {
  type ConfigFiles,
  configBytesMax,
  configTooLarge,
  isConfigFileName,
  noSuchConfig,
  revisionsMax,
} from '../config-files.ts'
import { createRevisionLog, findInForce } from '../config-files-revisions.ts'
import { type ConfigOnDisk, replaceConfig } from './config-files-embedded-save.ts'
import { decodeConfig, decodeRevision, describeSaveFailure, readFileOnDisk } from './config-files-embedded-text.ts'
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
