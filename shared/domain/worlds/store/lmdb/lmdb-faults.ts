import { constants } from 'node:os'
import { AppError } from '../../../../kernel/errors.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { tryToWrite } from '../../../../platform/storage/lmdb/lmdb-room.ts'
import type { WorldRef } from '../chunk-store.ts'
import { worldUnusable } from '../chunk-store-rules.ts'

const { errno } = constants

/** What LMDB says of a file that is not, or no longer, its own: page not found, corrupted, version mismatch, invalid, incompatible. */
const damageCodes: readonly unknown[] = [-30797, -30796, -30794, -30793, -30784]
const mapFull = -30792

const isOneOf = (code: unknown, names: readonly (keyof typeof errno)[]): boolean =>
  names.some((name) => code === name || code === errno[name])

const isFull = (code: unknown): boolean => code === mapFull || isOneOf(code, ['ENOSPC', 'EFBIG', 'EDQUOT'])

/** The chunks of the world cannot be told from noise any more. */
export const damagedWorld = (world: WorldRef, cause: unknown): AppError =>
  worldUnusable(world, 'their data file is damaged or cut short', 'Restore the folder of the world from a backup.', cause)

/** The server may not write where the chunks of the world are. */
export const readOnlyWorld = (world: WorldRef, cause: unknown): AppError =>
  worldUnusable(
    world,
    'their folder is read-only',
    'Let the user of the server write in it, and mount its disk for writing.',
    cause,
  )

/** What a failed read or opening means for the caller. */
export const describeFailure = (world: WorldRef, cause: unknown): AppError => {
  if (cause instanceof AppError) return cause
  const code = codeOf(cause)
  if (damageCodes.includes(code)) return damagedWorld(world, cause)
  if (isFull(code))
    return new AppError('unavailable', 'storage-full', 'There is no room left for chunks; nothing was written.', { cause })
  if (isOneOf(code, ['EROFS'])) return readOnlyWorld(world, cause)
  if (isOneOf(code, ['EACCES', 'EPERM']))
    return worldUnusable(world, 'their folder cannot be opened', 'Let the user of the server read and write in it.', cause)
  if (isOneOf(code, ['EISDIR', 'ENOTDIR', 'ELOOP']))
    return worldUnusable(
      world,
      'something else stands in the place of their folder or data file',
      'Restore the folder of the world from a backup.',
      cause,
    )
  return new AppError('unavailable', 'service-unavailable', 'The chunk store does not answer.', { cause })
}

/** Why a write failed: a commit that failed names its reason in a promise of its own, which ends the process when nobody listens to it. */
export const commitFault = async (failure: unknown): Promise<unknown> => {
  if (typeof failure !== 'object' || failure === null || !('commitError' in failure)) return failure
  return await Promise.resolve(failure.commitError).catch((reason: unknown) => reason)
}

/**
 * What a failed write means for the caller. LMDB calls a write of which the disk took only the beginning an input/output error. `room` tells whether the disk is full: where the data file ended, and how much there was to write.
 */
export const describeWriteFailure = async (
  world: WorldRef,
  failure: unknown,
  room: { readonly folder: string; readonly fileBytes: number; readonly bytes: number },
): Promise<AppError> => {
  const fault = await commitFault(failure)
  if (!isOneOf(codeOf(fault), ['EIO'])) return describeFailure(world, fault)
  try {
    tryToWrite(room.folder, room.fileBytes, room.bytes)
    return describeFailure(world, fault)
  } catch (cause) {
    return describeFailure(world, isFull(codeOf(cause)) ? cause : fault)
  }
}
