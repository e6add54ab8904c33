import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'

/** Bundled tests, inside of `node_modules`, so that they find the packages of the project. */
const folder = 'node_modules/.cache/gatehouse/tests'

const listTests = async (): Promise<readonly string[]> => {
  const entries = await readdir('.', { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.test\.[jt]s$/.test(entry.name))
    .map((entry) => relative('.', join(entry.parentPath, entry.name)))
    .filter((path) => !path.split(/[\\/]/).includes('node_modules'))
    .sort()
}

const usage = `Usage: npm test [-- FILE … OPTIONS]

Runs the tests of the project: all files that end in .test.ts, or the named ones. Options of the test runner of Node:

  --test-name-pattern=WORDS   runs only tests with such a name
  --test-only                 runs only tests with { only: true }
  --test-reporter=dot         prints less
`

/** `gatehouse test [FILE …] [OPTIONS]`: bundles the tests of a project and runs them with the test runner of Node. */
const runTests = async (args: readonly string[]): Promise<void> => {
  const named = args.filter((arg) => !arg.startsWith('-'))
  const options = args.filter((arg) => arg.startsWith('-'))
  if (asksForHelp(args)) {
    process.stdout.write(usage)
    return
  }
  const wrong = [
    ...options.filter((arg) => !arg.startsWith('--test-')).map((arg) => `There is no option ${arg}.`),
    ...named.filter((path) => !existsSync(path)).map((path) => `There is no file ${path}.`),
  ]
  if (wrong.length > 0) {
    process.stderr.write(`${wrong.join('\n')}\n\n${usage}`)
    process.exitCode = 2
    return
  }
  const tests = named.length > 0 ? named : await listTests()
  if (tests.length === 0) {
    process.stderr.write('There are no tests. A test is a file that ends in .test.ts, such as test/hello.test.ts.\n')
    process.exitCode = 1
    return
  }
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: tests.map((path) => resolve(path)),
    outbase: '.',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    metafile: true,
    logLevel: 'warning',
  })
  // A failed test may leave its game running, which would keep the process alive.
  const flags = ['--enable-source-maps', '--test', '--test-force-exit', ...options]
  const child = spawn(process.execPath, [...flags, ...Object.keys(metafile.outputs)], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}

export const main = runTests(process.argv.slice(2))
