import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** More than the files of an empty environment take: LMDB does not survive a disk too full for them. */
const emptyBytes = 2 ** 17

/** Writes `bytes` at `from` of a scratch file, which leaves nothing behind, and throws what the system says when it cannot. */
export const tryToWrite = (folder: string, from: number, bytes: number): void => {
  const scratch = mkdtempSync(join(folder, '.room-'))
  let file: number | undefined
  try {
    file = openSync(join(scratch, 'scratch'), 'w', 0o600)
  } finally {
    // Gone by name before it grows: nothing is left of it if the process dies.
    rmSync(scratch, { recursive: true, force: true })
  }
  try {
    for (let written = 0; written < bytes; )
      written += writeSync(file, Buffer.alloc(Math.min(bytes - written, 2 ** 20)), 0, undefined, from + written)
  } finally {
    closeSync(file)
  }
}

/** Throws what the system says when the disk of `folder` is too full for a new environment. */
export const checkRoomForLmdb = (folder: string): void => tryToWrite(folder, 0, emptyBytes)

/** What stays free, in bytes, for what transactions that are under way write again: for leases and accounts there is room for longer. */
export const keptFree = { forChunks: 16 * 2 ** 20, forRecords: 4 * 2 ** 20 }

/**
 * Throws an error of the code `ENOSPC` when writing `bytes` would leave less than `kept` bytes free in `folder`, in microseconds. LMDB
 * 3.5.6 writes the message about a page that the disk does not take into too little memory, which may end the process later on.
 */
export const expectRoomForWrite = (folder: string, bytes: number, kept: number): void => {
  const { bavail, blocks, bsize } = statfsSync(folder)
  // Some file systems do not tell.
  if (blocks === 0 || bavail * bsize >= kept + bytes) return
  throw Object.assign(new Error(`less than ${kept / 2 ** 20} MiB would be free in ${folder}`), { code: 'ENOSPC' })
}
