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
 * A process that still runs may load a thread's bundle long after its start, so nothing recent is taken away. Neither is any of the last
 * ones, however old: a server may have run for months when a new version is started beside it.
 */
const removeOld = async (folder) => {
  const names = (await readdir(folder)).filter((name) => name !== recordsName && name !== pagesName)
  // What is gone by now was another start's, on its way to its name.
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

/** Puts the bundles into a folder named for what they hold, whole or not at all, however many processes do so at once. */
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

/** For this process alone: gone when it ends, and found by no other. */
const keepForNow = async (root, files) => {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-'))
  process.once('exit', () => {
    try {
      // A thread may write into it still.
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // What ends a process is not that it left a folder.
    }
  })
  await write(files, path)
  for (const name of ['node_modules', 'resources']) await symlink(join(root, name), join(path, name), 'junction')
  return path
}

/**
 * Where the bundles are, and in which of `folders`, of which the first that can be written is taken. Where none can, as in an install that
 * is read-only, they are in a temporary folder and `bundles` is absent.
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
    `Gatehouse cannot start: make one of these folders writable, it is where the program is put together.\n${faults.join('\n')}`,
  )
}
