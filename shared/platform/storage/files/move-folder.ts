import { cp, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from './code-of.ts'
import { folderModeAt } from './group-folder.ts'

/** A file or folder, on the disk when it resolves. */
export const syncPath = async (path: string): Promise<void> => {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A folder and all that is in it, on the disk when it resolves. */
export const syncTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name))
  await syncPath(folder)
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

/** Locks of LMDB are of the moment. */
const isCopied = (path: string): boolean => basename(path) !== 'lock.mdb'

const gone = { recursive: true, force: true } as const

/**
 * Moves by a copy. The copy gets its name once it is whole and on the disk; only then the folder leaves its own name. So a kill at any
 * moment leaves one of the two whole, and the next try ends the move.
 */
const moveByCopy = async (from: string, to: string): Promise<void> => {
  const copy = join(dirname(to), `.moving-${basename(to)}`)
  // One that is there is the whole copy of a try that was cut short.
  if (!(await isThere(to))) {
    await rm(copy, gone)
    try {
      await cp(from, copy, { recursive: true, preserveTimestamps: true, filter: (path) => path === from || isCopied(path) })
      if ((await stat(copy)).isDirectory()) await syncTree(copy)
      else await syncPath(copy)
    } catch (error) {
      await rm(copy, gone)
      throw error
    }
    await rename(copy, to)
    await syncPath(dirname(to))
  }
  await rename(from, leftBehind(from))
}

const leftBehind = (from: string): string => join(dirname(from), `.moved-${basename(from)}`)

/**
 * Moves a folder or file, also to another file system. Nothing where `from` is absent, as after a move that was cut short. `to` must not
 * exist, except as what an earlier try of the same move left. Both are whole until the move is done: what it throws leaves `from` as it was.
 */
export const movePath = async (from: string, to: string): Promise<void> => {
  if (await isThere(from)) {
    await mkdir(dirname(to), { recursive: true, mode: folderModeAt(dirname(to)) })
    try {
      await rename(from, to)
      await syncPath(dirname(to))
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error
      await moveByCopy(from, to)
    }
    await syncPath(dirname(from))
  }
  await rm(leftBehind(from), gone)
}
