import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pagesName, recordsName } from './made-bundles.js'

const keptMs = 30 * 24 * 60 * 60 * 1000
/** Several versions of all entry points. */
const keptMin = 24

const nameOf = (files) => {
  const hash = createHash('sha256')
  for (const { name, contents } of files) hash.update(name).update('\0').update(contents)
  return hash.digest('hex').slice(0, 16)
}

const exists = (path) => stat(path).then(Boolean, () => false)

/**
 * A running process may load the bundle of a worker thread long after its start, so recent folders stay. The last ones stay
 * too, however old: a server may have run for months when a new version starts next to it.
 */
const removeOld = async (folder) => {
  const names = (await readdir(folder)).filter((name) => name !== recordsName && name !== pagesName)
  // A missing file belonged to another start, which was about to rename it.
  const madeAtOf = (name) => stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, Date.now)
  const bundles = await Promise.all(names.map(async (name) => ({ name, madeAt: await madeAtOf(name) })))
  const spare = bundles.sort((a, b) => b.madeAt - a.madeAt).slice(keptMin)
  for (const { name, madeAt } of spare)
    if (Date.now() - madeAt > keptMs) await rm(join(folder, name), { recursive: true, force: true })
}

const write = async (files, path) => {
  await mkdir(path, { recursive: true })
  for (const { name, contents } of files) await writeFile(join(path, name), contents)
}

/** Writes the bundles into a folder that is named after their hash, atomically, even if several processes do so at once. */
const keep = async (files, folder) => {
  const target = join(folder, nameOf(files))
  if (await exists(target)) return target
  const made = `${target}.${randomUUID()}`
  try {
    await write(files, made)
    await rename(made, target)
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  }
  await removeOld(folder)
  return target
}

/** For this process only: deleted when it ends, and invisible to others. */
const keepForNow = async (root, files) => {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-'))
  process.once('exit', () => {
    try {
      // A worker thread may still write into it.
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A leftover folder must not fail the process.
    }
  })
  await write(files, path)
  for (const name of ['node_modules', 'resources']) await symlink(join(root, name), join(path, name), 'junction')
  return path
}

/**
 * Writes the bundles into the first writable one of `folders`, and returns where they are. If none is writable, as in a
 * read-only install, they are in a temporary folder and `bundles` is absent.
 */
export const keepSomewhere = async (root, folders, files) => {
  const faults = []
  for (const bundles of folders)
    try {
      return { bundles, path: await keep(files, bundles) }
    } catch (error) {
      faults.push(`${bundles}: ${error.code ?? error}`)
    }
  try {
    return { path: await keepForNow(root, files) }
  } catch (error) {
    faults.push(`${tmpdir()}: ${error.code ?? error}`)
  }
  throw new Error(
    `Gatehouse cannot start. It builds its program in one of these folders: make one of them writable.\n${faults.join('\n')}`,
  )
}
