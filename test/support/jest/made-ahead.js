import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findMade, foldersOf, pagesName } from '../../../infra/launch/made-bundles.js'
import { makeBundles } from '../../../infra/launch/make-bundles.js'
import { makePages } from '../../../infra/launch/make-pages.js'

const root = resolve(import.meta.dirname, '../../..')
const tasks = ['adduser', 'backup', 'bots', 'conformance', 'migrate', 'oauth', 'tables', 'token', 'world']
/** The scripts of suites that `startScript` runs. */
const listScripts = () =>
  readdirSync(join(root, 'test/support'), { recursive: true })
    .filter((name) => /(writer|holder|login-issuer|starting|stopping|data-folder)-script\.ts$/.test(name))
    .map((name) => `test/support/${name.replaceAll('\\', '/')}`)
const entries = [
  'realtime/main.ts',
  'infra/local.ts',
  'infra/http.ts',
  'sdk/examples/terminal/play.ts',
  ...tasks.map((name) => `tools/${name}.ts`),
  'bench/campaign/hostile/attack-script.ts',
  ...listScripts(),
]

/** Ignores failures: the suites that need the result report them. */
const tryTo = async (make) => {
  try {
    await make()
  } catch (error) {
    process.stderr.write(`Not made ahead of the suites: ${error.message}\n`)
  }
}

/**
 * Bundles the programs of suites once before a run of all suites. Otherwise several suites would bundle the same one at the same
 * time.
 */
export const makeEntriesAhead = async ({ testPathPatterns }) => {
  if (testPathPatterns.isSet()) return
  const folders = foldersOf(root)
  if (findMade(root, folders, pagesName) === undefined) await tryTo(() => makePages(root, folders))
  const missing = entries.filter((entry) => findMade(root, folders, entry) === undefined)
  if (missing.length > 0) await tryTo(() => makeBundles(root, folders, missing))
}
