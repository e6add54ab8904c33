import { statSync } from 'node:fs'
import { dirname } from 'node:path'

const setGroupOrGroupWrite = 0o2020
const othersWrite = 0o002
/** Hides files from everyone but their owner and group. */
const groupUmask = 0o007

/** Whether the owner shares a folder with its group. A folder that everyone may write to, such as /tmp, does not count as shared. */
const isShared = (folder: string): boolean => {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode
  if (mode !== undefined) return (mode & setGroupOrGroupWrite) !== 0 && (mode & othersWrite) === 0
  return dirname(folder) !== folder && isShared(dirname(folder))
}

/** The mode of a new file in a folder: for its owner only, or also for the group if the folder is shared. */
export const fileModeIn = (folder: string): number => (isShared(folder) ? 0o660 : 0o600)

/** The mode of a new folder at `path`, likewise, by the nearest existing folder above it. */
export const folderModeAt = (path: string): number => (isShared(dirname(path)) ? 0o770 : 0o700)

/**
 * Sets the umask so that the group of a shared data folder can use new files. OpenShift needs this, because each start may have another
 * user of the same group. LMDB and Node use the umask.
 */
export const shareWithGroup = (dataDir: string): void => {
  if (isShared(dataDir)) process.umask(groupUmask)
}
