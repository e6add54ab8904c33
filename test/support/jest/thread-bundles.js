import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { bundleEntries } from '../../../infra/launch/bundle.js'

const root = resolve(import.meta.dirname, '../../..')

/** Bundles the modules of threads once for all suites, inside the project, so that they find its packages; see `moduleBeside`. */
export const bundleThreadsForTests = async () => {
  const [thread] = JSON.parse(await readFile(join(root, 'infra/launch/beside.json'), 'utf8'))
  const [{ files }] = await bundleEntries(root, [thread])
  await mkdir(join(root, '.build'), { recursive: true })
  const folder = await mkdtemp(join(root, '.build', 'threads-'))
  await Promise.all(files.map(({ name, contents }) => writeFile(join(folder, name), contents)))
  process.env.GATEHOUSE_TESTS_THREADS = folder
}

export const removeThreadBundles = async () => {
  const folder = process.env.GATEHOUSE_TESTS_THREADS
  delete process.env.GATEHOUSE_TESTS_THREADS
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}
