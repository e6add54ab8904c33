import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../../kernel/errors.ts'

/** Where the default of each config file is, by its name: in `bundledDir`, but for a `server.yaml` that is elsewhere. */
export const createDefaultPath =
  (bundledDir: string, serverDefaults: string | undefined) =>
  (name: string): string =>
    name === 'server.yaml' && serverDefaults !== undefined ? serverDefaults : join(bundledDir, name)

/** Throws AppError `invalid` where the file that SERVER_DEFAULTS names cannot be read. */
export const expectServerDefaults = async (path: string): Promise<void> => {
  try {
    await access(path, constants.R_OK)
  } catch (cause) {
    const detail = `The file ${path} (SERVER_DEFAULTS) cannot be read: name one that is there, or leave it out.`
    throw new AppError('invalid', 'bad-request', detail, { cause })
  }
}
