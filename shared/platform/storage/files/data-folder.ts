import { access, constants, mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { codeOf } from './code-of.ts'
import { shareWithGroup } from './group-folder.ts'

const anotherFolder = 'set DATA_DIR to another folder'

/** The meaning of each system error for the operator, and the fix. */
const faults: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  EEXIST: ['it is a file', 'Set DATA_DIR to a folder'],
  ENOTDIR: ['a part of that path is a file', 'Set DATA_DIR to a folder'],
  ENOENT: ['it cannot be created there', 'Create it or its parent folder, or set DATA_DIR to another folder'],
  EROFS: ['it is read-only', `Mount its disk for writing, or ${anotherFolder}`],
  EACCES: ['the user of this process has no write permission', `Make that user its owner (chown), or ${anotherFolder}`],
  EPERM: ['the user of this process has no write permission', `Make that user its owner (chown), or ${anotherFolder}`],
  ENOSPC: ['the disk is full', `Free space on the disk, or ${anotherFolder}`],
}

/** The entries of the folder after its first use. */
const parts = ['config', 'records', 'worlds']

/** Throws if a part is a file. An absent part is created later, and a read-only one may be intended. */
const refuseFile = async (path: string): Promise<void> => {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined || stats.isDirectory()) return
  const detail = `The folder ${resolve(path)} (in DATA_DIR) cannot be used: it is a file. Move it aside, or ${anotherFolder}.`
  throw new AppError('unavailable', 'service-unavailable', detail)
}

/**
 * Creates the data folder if absent, for its owner only. If the folder is shared with its group, new files in it are, too. Throws
 * AppError `unavailable` with the path, the reason and the fix if the folder is not writable or a part of it is a file.
 */
export const prepareDataFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    shareWithGroup(path)
  } catch (cause) {
    const code = String(codeOf(cause))
    const fault = faults[code]
    const [reason, fix] = fault ?? [`the system reports ${code}`, `Fix that, or ${anotherFolder}`]
    const detail = `The data folder ${resolve(path)} (DATA_DIR) cannot be used: ${reason}. ${fix}.`
    throw new AppError('unavailable', 'service-unavailable', detail, fault === undefined ? { cause } : {})
  }
  for (const part of parts) await refuseFile(join(path, part))
}
