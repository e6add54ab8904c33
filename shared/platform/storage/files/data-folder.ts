import { access, constants, mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { codeOf } from './code-of.ts'
import { shareWithGroup } from './group-folder.ts'

const anotherFolder = 'set DATA_DIR to another folder'

/** What each fault of the system means for who runs the server, and what to do. */
const faults: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  EEXIST: ['it is a file', 'Set DATA_DIR to a folder'],
  ENOTDIR: ['a part of that path is a file', 'Set DATA_DIR to a folder'],
  ENOENT: ['it cannot be made there', 'Make it, or a folder that it can be made in, or set DATA_DIR to another'],
  EROFS: ['it can only be read', `Mount its disk for writing, or ${anotherFolder}`],
  EACCES: ['the user of this process may not write there', `Give them the folder (chown), or ${anotherFolder}`],
  EPERM: ['the user of this process may not write there', `Give them the folder (chown), or ${anotherFolder}`],
  ENOSPC: ['there is no room left', `Make room on its disk, or ${anotherFolder}`],
}

/** What stands in it, once it was used. */
const parts = ['config', 'records', 'worlds']

/** A part that is absent is made later; one that can only be read may be meant so. */
const refuseFile = async (path: string): Promise<void> => {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || found.isDirectory()) return
  const detail = `The folder ${resolve(path)} (in DATA_DIR) cannot be used: it is a file. Move it aside, or ${anotherFolder}.`
  throw new AppError('unavailable', 'service-unavailable', detail)
}

/**
 * The data folder, made when absent, its owner's only; what is made in it is its group's too where the folder is. Throws AppError `unavailable` with path, reason and fix where nothing can be kept in
 * it, or a part of it is a file.
 */
export const prepareDataFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    shareWithGroup(path)
  } catch (cause) {
    const code = String(codeOf(cause))
    const known = faults[code]
    const [reason, fix] = known ?? [`the system says ${code}`, `Mend that, or ${anotherFolder}`]
    const detail = `The data folder ${resolve(path)} (DATA_DIR) cannot be used: ${reason}. ${fix}.`
    throw new AppError('unavailable', 'service-unavailable', detail, known === undefined ? { cause } : {})
  }
  for (const part of parts) await refuseFile(join(path, part))
}
