import { constants } from 'node:os'
import { AppError } from '../../../kernel/errors.ts'
import { codeOf } from '../../../storage/files/code-of.ts'

const { errno } = constants

/** What LMDB says when its map cannot grow. */
const mapFull = -30792

const isOneOf = (code: unknown, names: readonly (keyof typeof errno)[]): boolean =>
  names.some((name) => code === name || code === errno[name])

const isFull = (code: unknown): boolean => code === mapFull || isOneOf(code, ['ENOSPC', 'EFBIG', 'EDQUOT'])

/** What a failed save means for the caller: the file is as it was. */
export const describeSaveFailure = (name: string, error: unknown): AppError => {
  // What stands there is larger than a revision can be: nothing is lost by leaving it.
  if (error instanceof AppError && error.kind === 'invalid')
    return new AppError('conflict', 'conflict', `The stored ${error.publicDetail}`, { cause: error })
  if (error instanceof AppError && error.kind !== 'unavailable') return error
  const code = codeOf(error instanceof AppError ? error.cause : error)
  if (isFull(code))
    return new AppError('unavailable', 'storage-full', `There is no room left for ${name}; nothing was written.`, {
      cause: error,
    })
  if (isOneOf(code, ['EROFS', 'EACCES', 'EPERM']))
    return new AppError(
      'unavailable',
      'service-unavailable',
      `${name} cannot be written: let the user of the server write in the config folder of its data, and mount its disk for writing.`,
      { cause: error },
    )
  if (error instanceof AppError) return error
  return new AppError('unavailable', 'service-unavailable', `${name} cannot be written.`, { cause: error })
}
