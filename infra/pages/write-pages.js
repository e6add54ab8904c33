import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const keptMs = 24 * 60 * 60 * 1000

const isSame = async (path, contents) => {
  const there = await readFile(path).catch(() => undefined)
  return there !== undefined && Buffer.compare(there, contents) === 0
}

/** Files of earlier builds, which open pages may still request for a day. */
const removeOld = async (folder, names) => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const madeAt = await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now)
    if (!names.has(name) && Date.now() - madeAt > keptMs) await rm(path, { force: true })
  }
}

/** Writes built pages into a folder, the manifest last: every file that it names exists at any moment. */
export const writePages = async (folder, files) => {
  await mkdir(folder, { recursive: true })
  for (const { name, contents } of files) {
    const path = join(folder, name)
    if (await isSame(path, contents)) continue
    const made = `${path}.${randomUUID()}`
    await writeFile(made, contents)
    await rename(made, path)
  }
  await removeOld(folder, new Set(files.map(({ name }) => name)))
}
