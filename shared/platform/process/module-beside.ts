import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The module `name` (without extension) next to the module whose `import.meta.url` is given: a bundle next to a bundle, TypeScript in a
 * checkout. In a checkout, a run of all tests sets a folder of bundles, because each thread would transpile its sources again.
 */
export const moduleBeside = (name: string, url: string): URL => {
  if (!url.endsWith('.ts')) return new URL(`./${name}.js`, url)
  const bundles = process.env.GATEHOUSE_TESTS_THREADS
  return bundles === undefined ? new URL(`./${name}.ts`, url) : pathToFileURL(join(bundles, `${name}.js`))
}
