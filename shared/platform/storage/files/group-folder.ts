import { statSync } from 'node:fs'
import { dirname } from 'node:path'

const setGroupOrGroupWrite = 0o2020
const othersWrite = 0o002
/** Files are kept from everyone but their owner and its group. */
const groupUmask = 0o007

/** Whether its owner shares a folder with its group. One that everyone may write to, such as /tmp, is shared with no group. */
const isShared = (folder: string): boolean => {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode
  if (mode !== undefined) return (mode & setGroupOrGroupWrite) !== 0 && (mode & othersWrite) === 0
  return dirname(folder) !== folder && isShared(dirname(folder))
}

/** The mode of a new file in a folder: for its owner only, and for the group where the folder is shared with it. */
export const fileModeIn = (folder: string): number => (isShared(folder) ? 0o660 : 0o600)

/** The mode of a new folder at `path`, by the nearest folder above that exists; the same rule. */
export const folderModeAt = (path: string): number => (isShared(dirname(path)) ? 0o770 : 0o700)

/**
 * Lets the group of the data folder have what this process makes, where the folder is shared with it, as OpenShift does: each start may be
 * another user of one group. LMDB and Node make files by the umask.
 */
export const shareWithGroup = (dataDir: string): void => {
  if (isShared(dataDir)) process.umask(groupUmask)
}
