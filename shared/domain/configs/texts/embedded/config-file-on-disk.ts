import { type FileHandle, constants as fileConstants, lstat, open } from 'node:fs/promises'
import { constants } from 'node:os'
import { AppError } from '../../../../kernel/errors.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { configBytesMax } from '../config-files.ts'

const { errno } = constants

/** The error code of LMDB when its map cannot grow. */
const mapFull = -30792

const isOneOf = (code: unknown, names: readonly (keyof typeof errno)[]): boolean =>
  names.some((name) => code === name || code === errno[name])

const isFull = (code: unknown): boolean => code === mapFull || isOneOf(code, ['ENOSPC', 'EFBIG', 'EDQUOT'])

/** The error of a failed save; the file is unchanged. */
export const describeSaveFailure = (name: string, error: unknown): AppError => {
  // The stored file is too large for a revision. Refusing the save loses nothing.
  if (error instanceof AppError && error.kind === 'invalid')
    return new AppError('conflict', 'conflict', `The stored ${error.publicDetail}`, { cause: error })
  if (error instanceof AppError && error.kind !== 'unavailable') return error
  const code = codeOf(error instanceof AppError ? error.cause : error)
  if (isFull(code))
    return new AppError('unavailable', 'storage-full', `There is not enough disk space for ${name}. Nothing was written.`, {
      cause: error,
    })
  if (isOneOf(code, ['EROFS', 'EACCES', 'EPERM']))
    return new AppError(
      'unavailable',
      'service-unavailable',
      `${name} cannot be written. Give the server's user write access to the config folder, and mount its disk for writing.`,
      { cause: error },
    )
  if (error instanceof AppError) return error
  return new AppError('unavailable', 'service-unavailable', `${name} cannot be written.`, { cause: error })
}

/** A config file on disk. */
type FileOnDisk = { readonly bytes: Buffer; readonly modifiedMs: number }

const unreadable = (name: string, cause?: unknown): AppError =>
  new AppError('unavailable', 'service-unavailable', `${name} cannot be read: check its owner and mode.`, { cause })

const isAbsence = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))

/** Reads at most one byte more than a config may have, whatever the file is. */
const readBytes = async (file: FileHandle): Promise<Buffer> => {
  const bytes = Buffer.alloc(configBytesMax + 1)
  let length = 0
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = (await file.read(bytes, length, bytes.length - length)).bytesRead
  return bytes.subarray(0, length)
}

const readOpened = async (file: FileHandle, name: string): Promise<FileOnDisk> => {
  const stats = await file.stat()
  if (!stats.isFile()) throw unreadable(name)
  const bytes = await readBytes(file)
  if (bytes.length > configBytesMax)
    throw new AppError('invalid', 'invalid-config', `${name} is larger than 1 MiB: make it smaller, or move it away.`)
  return { bytes, modifiedMs: stats.mtimeMs }
}

/** Undefined for a missing file. A broken symbolic link is an unreadable file, not a missing one. */
const expectAbsent = async (path: string, name: string): Promise<undefined> => {
  try {
    await lstat(path)
  } catch (error) {
    if (isAbsence(error)) return undefined
  }
  throw unreadable(name)
}

/** The config file at `path`, or undefined if there is none. Throws AppError `unavailable` if it cannot be read, `invalid` if it is too large. */
export const readFileOnDisk = async (path: string, name: string): Promise<FileOnDisk | undefined> => {
  let file: FileHandle | undefined
  try {
    // Non-blocking, because a pipe in place of the file would block the open.
    file = await open(path, fileConstants.O_RDONLY | (fileConstants.O_NONBLOCK ?? 0))
    return await readOpened(file, name)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isAbsence(error)) return expectAbsent(path, name)
    throw unreadable(name, error)
  } finally {
    await file?.close()
  }
}

/** The text with its byte order mark, if any; throws AppError `invalid` if it is not UTF-8. */
export const decodeConfig = (bytes: Uint8Array, name: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', 'invalid-config', `${name} is not UTF-8 text: save it as UTF-8.`, { cause })
  }
}

/** The text of a revision. If it is not UTF-8, each byte becomes one character, so that nothing is lost. */
export const decodeRevision = (bytes: Buffer, name: string): string => {
  try {
    return decodeConfig(bytes, name)
  } catch {
    return bytes.toString('latin1')
  }
}
