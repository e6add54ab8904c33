import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { AppError } from '../../../../kernel/errors.ts'
import type { WorldRef } from '../chunk-store.ts'
import { worldUnusable } from '../chunk-store-rules.ts'

/** Below the limit of 400 KB for an item. */
export const deflatedBytesMax = 380_000

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Terrain shrinks to an eighth. Uses the fastest level, because columns are packed already. */
export const deflateColumn = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const deflated = await deflate(bytes, { level: 1 })
  if (deflated.length <= deflatedBytesMax) return deflated
  throw new AppError('too-large', 'record-too-large', 'The record of a column is too large to store.')
}

/** Reverses `deflateColumn`. */
export const inflateColumn = async (world: WorldRef, deflated: Uint8Array): Promise<Uint8Array> => {
  try {
    return await inflate(deflated)
  } catch (cause) {
    throw worldUnusable(world, 'a column is damaged', 'Restore the table from a backup.', cause)
  }
}
