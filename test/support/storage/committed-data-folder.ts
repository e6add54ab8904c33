import { copyFile, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../../data')

/** The files of `data/` that are in the repository. */
export const committedNames = ['.gitignore', 'README.md'] as const

/** Fills `path` with the data folder of a fresh clone. */
export const copyCommittedDataFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true })
  for (const name of committedNames) await copyFile(join(folder, name), join(path, name))
}
