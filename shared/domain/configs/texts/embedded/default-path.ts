import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../../kernel/errors.ts'

/** The path of the default of each config file: in `bundledDir`, except for a `server.yaml` elsewhere. */
export const createDefaultPath =
  (bundledDir: string, serverDefaults: string | undefined) =>
  (name: string): string =>
    name === 'server.yaml' && serverDefaults !== undefined ? serverDefaults : join(bundledDir, name)

/** Throws AppError `invalid` if the file in SERVER_DEFAULTS cannot be read. */
export const expectServerDefaults = async (path: string): Promise<void> => {
  try {
    await access(path, constants.R_OK)
  } catch (cause) {
    const detail = `The file ${path} (SERVER_DEFAULTS) cannot be read. Set SERVER_DEFAULTS to a readable file, or unset it.`
    throw new AppError('invalid', 'bad-request', detail, { cause })
  }
}
