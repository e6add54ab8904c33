import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'

/** Generated texts, by their path from the root. */
export type MadeFiles = ReadonlyMap<string, string>

export const root = resolve(import.meta.dirname, '../..')

const readText = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

/** Every file below `folder`, with paths below `under`; none if the folder does not exist. */
export const readFolder = (folder: string, under: string): MadeFiles =>
  new Map(
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true, recursive: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [posix.join(under, relative(folder, path).replaceAll('\\', '/')), readText(path)])
      : [],
  )

/** The checked-in version of `made`, and all other files in folders with only generated files. */
const readCheckedIn = (made: MadeFiles, wholeFolders: readonly string[]): MadeFiles =>
  new Map([
    ...[...made.keys()].filter((path) => existsSync(join(root, path))).map((path) => [path, readText(join(root, path))] as const),
    ...wholeFolders.flatMap((folder) => [...readFolder(join(root, folder), folder)]),
  ])

/** The paths, sorted, whose checked-in file differs from the generated one. */
export const listStale = (made: MadeFiles, wholeFolders: readonly string[]): string[] => {
  const present = readCheckedIn(made, wholeFolders)
  return [...new Set([...made.keys(), ...present.keys()])].filter((path) => made.get(path) !== present.get(path)).sort()
}

/** Writes generated files, and removes all other files in folders with only generated files. */
export const writeMade = (made: MadeFiles, wholeFolders: readonly string[]): void => {
  for (const folder of wholeFolders)
    for (const path of readFolder(join(root, folder), folder).keys()) if (!made.has(path)) rmSync(join(root, path))
  for (const [path, text] of made) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
