// Node 20 cannot run TypeScript, and transpiling some five hundred files one by one takes seconds. So this file is JavaScript
// and runs a bundle, which is rebuilt only when a source has changed.
import { basename, join, relative, resolve } from 'node:path'
import { loadScript } from './load-script.js'
import { findMade, foldersOf, pagesName } from './made-bundles.js'

const root = resolve(import.meta.dirname, '../..')
const folders = foldersOf(root)

/** Entry points that serve the pages for browsers. */
const serving = ['infra/local.ts', 'infra/dev-server.ts', 'infra/http.ts']

/** A server starts without its pages rather than not at all. */
const makePages = async () => {
  try {
    await (await import('./make-pages.js')).makePages(root, folders)
  } catch (error) {
    process.stderr.write(`The pages for browsers are missing: ${error.message}\n`)
  }
}

const makeBundle = async (entry) => {
  const { makeBundles } = await import('./make-bundles.js')
  const [made] = await makeBundles(root, folders, [entry])
  return made
}

/** The reader of the output may end first, as head does. The work continues. */
const endureDeafness = (error) => {
  if (error.code !== 'EPIPE') throw error
}

const [named] = process.argv.splice(2, 1)
if (named === undefined) throw new Error('Name an entry point: node infra/launch.js infra/local.ts')
/** The name that the bundler gives it. */
const entry = relative(root, resolve(root, named)).replaceAll('\\', '/')
const pages = serving.includes(entry) && findMade(root, folders, pagesName) === undefined ? makePages() : undefined
const found = findMade(root, folders, entry)
const { path, isForOthers } = found === undefined ? await makeBundle(entry) : { path: found, isForOthers: true }
await pages
process.argv[1] = resolve(root, entry)
for (const stream of [process.stdout, process.stderr]) stream.on('error', endureDeafness)
const { exports, keepCode } = loadScript(join(path, `${basename(entry, '.ts')}.cjs`))
// Afterwards a server has started, or a task has ended.
await exports.main
// A refused start has run too little code.
if (isForOthers && !process.exitCode) keepCode()
