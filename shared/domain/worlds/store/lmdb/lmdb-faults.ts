import { constants } from 'node:os'
import { AppError } from '../../../../kernel/errors.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { tryToWrite } from '../../../../platform/storage/lmdb/lmdb-room.ts'
import type { WorldRef } from '../chunk-store.ts'
import { worldUnusable } from '../chunk-store-rules.ts'

const { errno } = constants

/** LMDB's codes for a damaged or foreign file: page not found, corrupted, version mismatch, invalid, incompatible. */
const damageCodes: readonly unknown[] = [-30797, -30796, -30794, -30793, -30784]
const mapFull = -30792

const isOneOf = (code: unknown, names: readonly (keyof typeof errno)[]): boolean =>
  names.some((name) => code === name || code === errno[name])

const isFull = (code: unknown): boolean => code === mapFull || isOneOf(code, ['ENOSPC', 'EFBIG', 'EDQUOT'])

/** The data file of the world is damaged. */
export const damagedWorld = (world: WorldRef, cause: unknown): AppError =>
  worldUnusable(world, 'their data file is damaged or cut short', 'Restore the folder of the world from a backup.', cause)

/** The server has no permission to write the chunks of the world. */
export const readOnlyWorld = (world: WorldRef, cause: unknown): AppError =>
  worldUnusable(
    world,
    'their folder is read-only',
    'Give the server’s user write permission, and mount the disk for writing.',
    cause,
  )

/** Translates a failed read or opening for the caller. */
export const describeFailure = (world: WorldRef, cause: unknown): AppError => {
  if (cause instanceof AppError) return cause
  const code = codeOf(cause)
  if (damageCodes.includes(code)) return damagedWorld(world, cause)
  if (isFull(code)) return new AppError('unavailable', 'storage-full', 'The disk is full. Nothing was written.', { cause })
  if (isOneOf(code, ['EROFS'])) return readOnlyWorld(world, cause)
  if (isOneOf(code, ['EACCES', 'EPERM']))
    return worldUnusable(world, 'their folder cannot be opened', 'Give the server’s user read and write permission.', cause)
  if (isOneOf(code, ['EISDIR', 'ENOTDIR', 'ELOOP']))
    return worldUnusable(
      world,
      'something else is in the place of their folder or data file',
      'Restore the folder of the world from a backup.',
      cause,
    )
  return new AppError('unavailable', 'service-unavailable', 'The chunk store does not answer.', { cause })
}

/**
 * The reason for a failed write. A failed commit has its reason in a separate promise, which ends the process if nothing handles it.
 */
const commitFault = async (failure: unknown): Promise<unknown> => {
  if (typeof failure !== 'object' || failure === null || !('commitError' in failure)) return failure
  return await Promise.resolve(failure.commitError).catch((reason: unknown) => reason)
}

/**
 * Translates a failed write for the caller. LMDB reports a partial write as an input/output error. `room` has the size of the data file
 * and of the write, to find out whether the disk is full.
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
