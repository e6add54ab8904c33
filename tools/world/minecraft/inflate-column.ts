import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { errorCode } from '../describe-failure.ts'
import type { Skip } from './skip-reason.ts'

/** The limit of an inflated column; real ones stay below 2 MiB. */
export const inflatedBytesMax = 16 * 1024 * 1024

const inflaters = new Map([
  [1, promisify(gunzip)],
  [2, promisify(inflate)],
])
const unsupported = new Map([
  [4, 'LZ4'],
  [127, 'of a custom kind'],
])

const describe = (error: unknown): string =>
  errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    ? `it inflates to more than ${inflatedBytesMax} bytes`
    : 'its compressed data is damaged'

/**
 * Inflates the named binary tag of a column by its compression type (Anvil: 1 gzip, 2 zlib, 3 none), up to `inflatedBytesMax`.
 */
export const inflateColumn = async (type: number, bytes: Uint8Array): Promise<Uint8Array | Skip> => {
  if (type === 3) return bytes
  const name = unsupported.get(type)
  if (name !== undefined)
    return {
      reason: 'unsupported-compression',
      detail: `its compression is ${name}: set region-file-compression=deflate in server.properties and let Minecraft save it again`,
    }
  const inflateBytes = inflaters.get(type)
  if (inflateBytes === undefined) return { reason: 'damaged', detail: `there is no compression of type ${type}` }
  try {
    return await inflateBytes(bytes, { maxOutputLength: inflatedBytesMax })
  } catch (error) {
    return { reason: 'damaged', detail: describe(error) }
  }
}
