import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The module `name`, without its extension, beside the one whose `import.meta.url` is given: a bundle of its own beside a bundle,
 * TypeScript in a checkout. There a run of all tests names a folder of bundles, since each thread would transpile its sources again.
 */
export const moduleBeside = (name: string, url: string): URL => {
  if (!url.endsWith('.ts')) return new URL(`./${name}.js`, url)
  const bundles = process.env.GATEHOUSE_TESTS_THREADS
  return bundles === undefined ? new URL(`./${name}.ts`, url) : pathToFileURL(join(bundles, `${name}.js`))
}
