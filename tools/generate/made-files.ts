import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'

/** Texts that are made from something else, by their path from the root. */
export type MadeFiles = ReadonlyMap<string, string>

export const root = resolve(import.meta.dirname, '../..')

const readText = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

/** Every file below `folder`, as if it lay below `under`; none when there is no such folder. */
export const readFolder = (folder: string, under: string): MadeFiles =>
  new Map(
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true, recursive: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [posix.join(under, relative(folder, path).replaceAll('\\', '/')), readText(path)])
      : [],
  )

/** What is checked in of `made`, and whatever else lies in the folders that hold nothing but made files. */
const readCheckedIn = (made: MadeFiles, wholeFolders: readonly string[]): MadeFiles =>
  new Map([
    ...[...made.keys()].filter((path) => existsSync(join(root, path))).map((path) => [path, readText(join(root, path))] as const),
    ...wholeFolders.flatMap((folder) => [...readFolder(join(root, folder), folder)]),
  ])

/** The paths, sorted, at which what is checked in is not what was made. */
export const listStale = (made: MadeFiles, wholeFolders: readonly string[]): string[] => {
  const present = readCheckedIn(made, wholeFolders)
  return [...new Set([...made.keys(), ...present.keys()])].filter((path) => made.get(path) !== present.get(path)).sort()
}

/** Writes what was made, and removes whatever else lies in the folders that hold nothing but made files. */
export const writeMade = (made: MadeFiles, wholeFolders: readonly string[]): void => {
  for (const folder of wholeFolders)
    for (const path of readFolder(join(root, folder), folder).keys()) if (!made.has(path)) rmSync(join(root, path))
  for (const [path, text] of made) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
