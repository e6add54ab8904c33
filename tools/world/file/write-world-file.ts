import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { layOutWorld, type WorldFileContents } from '../../../shared/domain/worlds/export/lay-out-world.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { errorCode, isSystemError } from '../describe-failure.ts'

const refuseFolder = async (path: string): Promise<void> => {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile())
    throw new AppError('invalid', 'bad-request', 'The target of the file is a folder or a device. Give another name.')
}

/** The system error of the file, without the path that the operator gave. */
const rethrow = (error: unknown): never => {
  if (!isSystemError(error)) throw error
  const full = errorCode(error) === 'ENOSPC'
  throw new AppError(
    'unavailable',
    full ? 'storage-full' : 'service-unavailable',
    full ? 'The disk is full. The incomplete file was removed.' : 'The file cannot be written there.',
    { cause: error },
  )
}

/**
 * Pipes into a file that appears, or replaces an existing one, only when it is complete and durable. Otherwise nothing is left
 * behind. Throws AppError for a place that cannot be written, and passes on errors of the source.
 */
export const writeWholeFile = async (path: string, [source, through]: readonly [Readable, Duplex?]): Promise<void> => {
  await refuseFolder(path)
  const temp = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    const target = createWriteStream(temp, { flush: true })
    await (through === undefined ? pipeline(source, target) : pipeline(source, through, target))
    await rename(temp, path)
  } catch (error) {
    source.destroy()
    await rm(temp, { force: true })
    rethrow(error)
  }
}

/**
 * Writes a world as one file, which appears only when it is complete. Passes on errors of `records`. Memory use does not grow
 * with the world.
 */
export const writeWorldFile = (path: string, contents: WorldFileContents): Promise<void> =>
  writeWholeFile(path, [Readable.from(layOutWorld(contents)), createGzip()])
