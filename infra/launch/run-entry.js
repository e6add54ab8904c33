// Node 20 reads no TypeScript, and transpiling some five hundred files one by one takes seconds. So this file is JavaScript and runs a
// bundle, which is made again only when a source has changed.
import { basename, join, resolve } from 'node:path'
import { loadScript } from './load-script.js'
import { findMade, pagesName, rememberMade } from './made-bundles.js'

const root = resolve(import.meta.dirname, '../..')
/** What the pages are built by, besides their sources. */
const builders = ['build-pages.js', 'page-list.js'].map((name) => join('infra', 'pages', name))
const folders = [join(root, '.build'), join(root, 'node_modules', '.cache', 'gatehouse')]

/** Entry points that serve the pages for browsers. */
const serving = ['infra/local.ts', 'infra/http.ts']

/** Puts the pages beside the bundles, where the program looks for them. A server starts without them rather than not at all. */
const makePages = async () => {
  try {
    const { buildPages } = await import('../pages/build-pages.js')
    const { keepPages } = await import('./keep-pages.js')
    const startedMs = Date.now()
    const { files, inputs } = await buildPages(root)
    const { bundles, path } = await keepPages(folders, files)
    await rememberMade({ root, bundles, entry: pagesName, path, inputs: [...inputs, ...builders], startedMs })
  } catch (error) {
    process.stderr.write(`The pages for browsers are not there: ${error.message}\n`)
  }
}

const makeBundle = async (entry) => {
  const { bundle } = await import('./bundle.js')
  const { keepSomewhere } = await import('./keep-bundles.js')
  const startedMs = Date.now()
  const { files, inputs } = await bundle(root, entry)
  const { bundles, path } = await keepSomewhere(root, folders, files)
  if (bundles !== undefined) await rememberMade({ root, bundles, entry, path, inputs, startedMs })
  return { path, isForOthers: bundles !== undefined }
}

/** What reads the output may end first, as head does; the work goes on. */
const endureDeafness = (error) => {
  if (error.code !== 'EPIPE') throw error
}

const [entry] = process.argv.splice(2, 1)
if (entry === undefined) throw new Error('Name what to run: node infra/launch.js infra/local.ts')
const pages = serving.includes(entry) && findMade(root, folders, pagesName) === undefined ? makePages() : undefined
const found = findMade(root, folders, entry)
const { path, isForOthers } = found === undefined ? await makeBundle(entry) : { path: found, isForOthers: true }
await pages
process.argv[1] = resolve(root, entry)
for (const stream of [process.stdout, process.stderr]) stream.on('error', endureDeafness)
const { exports, keepCode } = loadScript(join(path, `${basename(entry, '.ts')}.cjs`))
// A server has started then, and a task is done.
await exports.main
// What was refused has run little of it.
if (isForOthers && !process.exitCode) keepCode()
