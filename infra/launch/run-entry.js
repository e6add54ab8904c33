// Node 20 reads no TypeScript, and transpiling some five hundred files one by one takes seconds. So this file is JavaScript and runs a
// bundle, which is made again only when a source has changed.
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findMade, rememberMade } from './made-bundles.js'

const root = resolve(import.meta.dirname, '../..')
const folders = [join(root, '.build'), join(root, 'node_modules', '.cache', 'gatehouse')]

const makeBundle = async (entry) => {
  const { bundle } = await import('./bundle.js')
  const { keepSomewhere } = await import('./keep-bundles.js')
  const startedMs = Date.now()
  const { files, inputs } = await bundle(root, entry)
  const { bundles, path } = await keepSomewhere(root, folders, files)
  if (bundles !== undefined) await rememberMade({ root, bundles, entry, path, inputs, startedMs })
  return path
}

/** What reads the output may end first, as head does; the work goes on. */
const endureDeafness = (error) => {
  if (error.code !== 'EPIPE') throw error
}

const [entry] = process.argv.splice(2, 1)
if (entry === undefined) throw new Error('Name what to run: node infra/launch.js infra/local.ts')
const path = findMade(root, folders, entry) ?? (await makeBundle(entry))
process.argv[1] = resolve(root, entry)
process.setSourceMapsEnabled(true)
for (const stream of [process.stdout, process.stderr]) stream.on('error', endureDeafness)
await import(pathToFileURL(join(path, `${basename(entry, '.ts')}.js`)).href)
