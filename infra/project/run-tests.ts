import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { build } from 'esbuild'

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

/** `gatehouse test [FILE …]`: bundles the tests of a project and runs them with the test runner of Node. */
const runTests = async (): Promise<void> => {
  const named = process.argv.slice(2)
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
  const flags = ['--enable-source-maps', '--test', '--test-force-exit']
  const child = spawn(process.execPath, [...flags, ...Object.keys(metafile.outputs)], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}

export const main = runTests()
