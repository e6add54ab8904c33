// Records the bundle of each entry point and the state of its source files. With this record, most starts need no bundler.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** The folder of these records, next to the bundles. */
export const recordsName = 'made'
/** The folder of the pages for browsers, next to them too. */
export const pagesName = 'pages'

/** The folders for bundles. The first writable one is used. */
export const foldersOf = (root) => [join(root, '.build'), join(root, 'node_modules', '.cache', 'gatehouse')]

/** Inputs besides the sources: the build scripts and tools. */
const launch = ['bundle.js', 'beside.json', 'load-script.js', 'source-stacks.js'].map((name) => `infra/launch/${name}`)
const always = ['package.json', 'tsconfig.json', ...launch, 'node_modules/.package-lock.json']
/** Coarser than any file system's clock: a file that changed this recently before a build may change again without a new time. */
const unsettledMs = 3000
const dayMs = 24 * 60 * 60 * 1000

const recordOf = (bundles, entry) => join(bundles, recordsName, `${entry.replaceAll(/[^\w.-]/g, '-')}.json`)

/**
 * A fingerprint of these files. Programs cannot set the time of the last status change, so a copy that keeps times, or a
 * restored file, still changes it.
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

/** Marks a bundle in use as new, so that it is not deleted. */
const markUsed = (path, { mtimeMs }) => {
  const now = new Date()
  if (now.getTime() - mtimeMs < dayMs) return
  try {
    utimesSync(path, now, now)
  } catch {
    // The folder belongs to another user or is read-only, so nothing is deleted from it.
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

/** The path of the bundle of `entry`, if one was made from exactly these files. Checks a thousand files in a few milliseconds. */
export const findMade = (root, folders, entry) => {
  for (const bundles of folders)
    try {
      const path = findIn(root, bundles, entry)
      if (path !== undefined) return path
    } catch {
      // No record, or an invalid one: the bundle is made.
    }
  return undefined
}

/** Lets later starts find the bundle, unless a source has changed so recently that its time may not show the next change. */
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
    // The next start then builds it again.
    await rm(made, { force: true }).catch(() => undefined)
  }
}
