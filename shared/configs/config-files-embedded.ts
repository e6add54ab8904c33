import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import type { ConfigReader, ConfigText } from './config-files.ts'

export type EmbeddedConfigFilesOptions = {
  /** Holds the texts that admins edit, under `config/`. */
  readonly dataDir: string
  /** Holds the default of each config file: `resources/config`. */
  readonly bundledDir: string
}

const isAbsence = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const readIfThere = async (path: string, name: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (cause) {
    if (isAbsence(cause)) return undefined
    throw new AppError('unavailable', 'service-unavailable', `${name} cannot be read: check its owner and mode.`, { cause })
  }
}

const decode = (bytes: Buffer, name: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', 'invalid-config', `${name} is not UTF-8 text: save it as UTF-8.`, { cause })
  }
}

/** Config texts from the data folder, else as bundled; a name that is not a config file's at all throws AppError `not-found`. */
export const createEmbeddedConfigFiles = ({ dataDir, bundledDir }: EmbeddedConfigFilesOptions): ConfigReader => ({
  read: async (name): Promise<ConfigText> => {
    const missing = new AppError('not-found', 'not-found', 'There is no config file of that name.')
    if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*\.yaml$/.test(name)) throw missing
    const own = await readIfThere(join(dataDir, 'config', name), name)
    const bytes = own ?? (await readIfThere(join(bundledDir, name), name))
    if (bytes === undefined) throw missing
    return {
      text: decode(bytes, name),
      etag: createHash('sha256').update(bytes).digest('base64url'),
      source: own === undefined ? 'default' : 'data',
    }
  },
})
