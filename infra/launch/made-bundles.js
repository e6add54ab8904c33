// Which bundle an entry point had at its last start, and of which state of which files: with that, most starts need no bundler.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** The folder of these records, beside the bundles. */
export const recordsName = 'made'
/** The folder of the pages for browsers, likewise. */
export const pagesName = 'pages'

/** Where bundles are looked for, and kept: the first that can be written is taken. */
export const foldersOf = (root) => [join(root, '.build'), join(root, 'node_modules', '.cache', 'gatehouse')]

/** Besides the sources: how they are put together, and with what. */
const launch = ['bundle.js', 'beside.json', 'load-script.js', 'source-stacks.js'].map((name) => `infra/launch/${name}`)
const always = ['package.json', 'tsconfig.json', ...launch, 'node_modules/.package-lock.json']
/** Coarser than any file system's clock: what changed within it before a build may change once more without another time. */
const unsettledMs = 3000
const dayMs = 24 * 60 * 60 * 1000

const recordOf = (bundles, entry) => join(bundles, recordsName, `${entry.replaceAll(/[^\w.-]/g, '-')}.json`)

/**
 * What stands for the content of these files. No program can set the time of the last change of state. So a copy that keeps times, or a
 * file put back in its place, is not taken for the one before.
 */
const sealOf = (root, inputs) => {
  const hash = createHash('sha256')
  let changedMs = 0
  for (const name of [...always, ...inputs]) {
    const stats = statSync(resolve(root, name), { bigint: true, throwIfNoEntry: false })
    hash.update(`\0${name}\0${stats === undefined ? '' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')}`)
    if (stats !== undefined)
      changedMs = Math.max(changedMs, Number(stats.mtimeNs / 1_000_000n), Number(stats.ctimeNs / 1_000_000n))
  }
  return { seal: hash.digest('hex'), changedMs }
}

/** A bundle in use counts as a new one, and is not taken away. */
const markUsed = (path, { mtimeMs }) => {
  const now = new Date()
  if (now.getTime() - mtimeMs < dayMs) return
  try {
    utimesSync(path, now, now)
  } catch {
    // The folder is another user's, or read-only, and nothing is taken away from it.
  }
}

const findIn = (root, bundles, entry) => {
  const { name, seal, inputs } = JSON.parse(readFileSync(recordOf(bundles, entry), 'utf8'))
  const path = join(bundles, name)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || sealOf(root, inputs).seal !== seal) return undefined
  markUsed(path, stats)
  return path
}

/** Where the bundle of `entry` is, when one was made of just these files; a thousand of them are looked at in a few milliseconds. */
export const findMade = (root, folders, entry) => {
  for (const bundles of folders)
    try {
      const path = findIn(root, bundles, entry)
      if (path !== undefined) return path
    } catch {
      // No record, or none that can be read: the bundle is made.
    }
  return undefined
}

/** Lets later starts find what was made, unless a source has changed so lately that its times may not tell the next change. */
export const rememberMade = async ({ root, bundles, entry, path, inputs, startedMs }) => {
  const { seal, changedMs } = sealOf(root, inputs)
  if (changedMs > startedMs - unsettledMs) return
  const record = recordOf(bundles, entry)
  const made = `${record}.${randomUUID()}`
  try {
    await mkdir(join(bundles, recordsName), { recursive: true })
    await writeFile(made, JSON.stringify({ name: basename(path), seal, inputs }))
    await rename(made, record)
  } catch {
    // It costs the next start what this one cost.
    await rm(made, { force: true }).catch(() => undefined)
  }
}
