// Node 20 reads no TypeScript, and transpiling some five hundred files one by one takes seconds, so this file is JavaScript and makes a
// few bundles of them, which takes a fifth of one.
import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')
const workers = [
  'shared/auth/passwords/password-worker.ts',
  'shared/configs/reading/parse-config-worker.ts',
  'realtime/workers/generation-worker.ts',
]
const keptMs = 30 * 24 * 60 * 60 * 1000
/** Several versions of all entry points. */
const keptMin = 24

/** The bundles of an entry point and of the threads that it may start, side by side; packages stay where they are. */
const bundle = async (entry) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry, ...workers],
    entryNames: '[name]',
    outdir: '.build',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    write: false,
  })
  return outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
}

const nameOf = (files) => {
  const hash = createHash('sha256')
  for (const { name, contents } of files) hash.update(name).update('\0').update(contents)
  return hash.digest('hex').slice(0, 16)
}

const exists = (path) => stat(path).then(Boolean, () => false)

/**
 * A process that still runs may load a thread's bundle long after its start: nothing recent is taken away, and none of the last ones,
 * however old, since a server may have run for months when a new version is started beside it.
 */
const removeOld = async (folder) => {
  const names = await readdir(folder)
  // What is gone by now was another start's, on its way to its name.
  const madeAtOf = (name) => stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, Date.now)
  const bundles = await Promise.all(names.map(async (name) => ({ name, madeAt: await madeAtOf(name) })))
  const spare = bundles.sort((a, b) => b.madeAt - a.madeAt).slice(keptMin)
  for (const { name, madeAt } of spare)
    if (Date.now() - madeAt > keptMs) await rm(join(folder, name), { recursive: true, force: true })
}

/** Puts the bundles into a folder named for what they hold, whole or not at all, however many processes do so at once. */
const keep = async (files, folder) => {
  const target = join(folder, nameOf(files))
  if (await exists(target)) return target
  const made = `${target}.${process.pid}`
  await mkdir(made, { recursive: true })
  for (const { name, contents } of files) await writeFile(join(made, name), contents)
  await rename(made, target).catch(async (error) => {
    await rm(made, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  })
  await removeOld(folder)
  return target
}

const keepSomewhere = async (files) => {
  const folders = [join(root, '.build'), join(root, 'node_modules', '.cache', 'gatehouse')]
  const faults = []
  for (const folder of folders)
    try {
      return await keep(files, folder)
    } catch (error) {
      faults.push(`${folder}: ${error.code ?? error}`)
    }
  throw new Error(
    `Gatehouse cannot start: make one of these folders writable, it is where the program is put together.\n${faults.join('\n')}`,
  )
}

const [entry] = process.argv.splice(2, 1)
if (entry === undefined) throw new Error('Name what to run: node infra/launch.js infra/local.ts')
const folder = await keepSomewhere(await bundle(entry))
process.argv[1] = join(root, entry)
process.setSourceMapsEnabled(true)
await import(pathToFileURL(join(folder, `${basename(entry, '.ts')}.js`)).href)
