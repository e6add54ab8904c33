import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** More than the files of an empty environment need. LMDB crashes on a disk that is too full for them. */
const emptyBytes = 2 ** 17

/** Writes `bytes` at offset `from` of a scratch file, which is removed. Throws the system's error if that fails. */
export const tryToWrite = (folder: string, from: number, bytes: number): void => {
  const scratch = mkdtempSync(join(folder, '.room-'))
  let file: number | undefined
  try {
    file = openSync(join(scratch, 'scratch'), 'w', 0o600)
  } finally {
    // The name is removed before the file grows, so nothing is left if the process dies.
    rmSync(scratch, { recursive: true, force: true })
  }
  try {
    for (let written = 0; written < bytes; )
      written += writeSync(file, Buffer.alloc(Math.min(bytes - written, 2 ** 20)), 0, undefined, from + written)
  } finally {
    closeSync(file)
  }
}

/** Throws the system's error if the disk of `folder` is too full for a new environment. */
export const checkRoomForLmdb = (folder: string): void => tryToWrite(folder, 0, emptyBytes)

/** The bytes to keep free for pages that pending transactions rewrite. Leases and accounts can use more of the space. */
export const keptFree = { forChunks: 16 * 2 ** 20, forRecords: 4 * 2 ** 20 }

/**
 * Throws an error with the code `ENOSPC` if writing `bytes` would leave less than `kept` bytes free in `folder`. Takes microseconds.
 * Needed because LMDB 3.5.6 overflows a buffer when it reports a page refused by the disk. That may crash the process later.
 */
export const expectRoomForWrite = (folder: string, bytes: number, kept: number): void => {
  const { bavail, blocks, bsize } = statfsSync(folder)
  // Some file systems do not report it.
  if (blocks === 0 || bavail * bsize >= kept + bytes) return
  throw Object.assign(new Error(`less than ${kept / 2 ** 20} MiB would be free in ${folder}`), { code: 'ENOSPC' })
}
