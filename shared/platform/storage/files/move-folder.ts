import { cp, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from './code-of.ts'
import { folderModeAt } from './group-folder.ts'

/** Syncs a file or folder to disk. */
export const syncPath = async (path: string): Promise<void> => {
  // Windows cannot open folders.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a folder with all of its contents to disk. */
export const syncTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name))
  await syncPath(folder)
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

/** Lock files of LMDB are temporary. */
const isCopied = (path: string): boolean => basename(path) !== 'lock.mdb'

const removal = { recursive: true, force: true } as const

/**
 * Moves by copying. The copy gets its name when it is complete and on disk, and only then is the original renamed. So a kill at any
 * moment leaves at least one complete folder, and the next attempt finishes the move.
 */
const moveByCopy = async (from: string, to: string): Promise<void> => {
  const copy = join(dirname(to), `.moving-${basename(to)}`)
  // An existing target is the complete copy of an interrupted attempt.
  if (!(await isThere(to))) {
    await rm(copy, removal)
    try {
      await cp(from, copy, { recursive: true, preserveTimestamps: true, filter: (path) => path === from || isCopied(path) })
      if ((await stat(copy)).isDirectory()) await syncTree(copy)
      else await syncPath(copy)
    } catch (error) {
      await rm(copy, removal)
      throw error
    }
    await rename(copy, to)
    await syncPath(dirname(to))
  }
  await rename(from, leftBehind(from))
}

const leftBehind = (from: string): string => join(dirname(from), `.moved-${basename(from)}`)

/**
 * Moves a folder or file, also to another file system. Does nothing if `from` is absent, as after an interrupted move. `to` must not
 * exist, except from an earlier attempt of the same move. If it throws, `from` is unchanged.
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
  await rm(leftBehind(from), removal)
}
