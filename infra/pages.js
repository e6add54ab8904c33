// npm run pages: builds the pages for browsers. `npm start` does this by itself; this command is for images, for Lambdas, and
// for developers of pages.
import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPages } from './pages/build-pages.js'
import { sourceFolders } from './pages/page-list.js'
import { writePages } from './pages/write-pages.js'

const root = resolve(import.meta.dirname, '..')
const settleMs = 50

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, '.build', 'pages') },
    watch: { type: 'boolean', default: false },
    // For one machine: the last tenth of compression takes most of the time.
    hasty: { type: 'boolean', default: false },
  },
})
const folder = resolve(values.out)

const make = async () => {
  const startedMs = Date.now()
  const { files } = await buildPages(root, values.watch ? { isDebug: true } : { isThorough: !values.hasty })
  await writePages(folder, files)
  process.stdout.write(`${folder}: ${files.length} files in ${Date.now() - startedMs} ms\n`)
}

/** Prints a fault in a source, and waits for the next change. */
const makeAgain = () => make().catch((error) => process.stderr.write(`${error.message}\n`))

const startWatching = () => {
  let timer
  let underWay = Promise.resolve()
  const again = () => {
    underWay = underWay.then(makeAgain)
  }
  for (const name of sourceFolders)
    watch(join(root, name), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(again, settleMs)
    })
  process.stdout.write('Waiting for changes. If a server (npm start) runs at the same time, reload the page to see them.\n')
}

await (values.watch ? makeAgain() : make())
if (values.watch) startWatching()
