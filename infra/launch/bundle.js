import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** Worker threads and other processes, in separate modules next to the program. The images have them too. */
const workers = JSON.parse(readFileSync(join(import.meta.dirname, 'beside.json'), 'utf8'))

/**
 * Plain JavaScript packages, many with small files. To find and read each file would take a quarter of a second at every start.
 */
const taken = new Set(
  [
    [
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/lib-dynamodb',
      '@bufbuild/protobuf',
      '@opentelemetry/api',
      '@sinclair/typebox',
      'ajv',
      'ajv-formats',
      'bcryptjs',
    ],
    ['cors', 'express', 'fastest-levenshtein', 'helmet', 'nbtify', 'simplex-noise'],
    ['httpxy', 'ioredis', 'jsep', 'openid-client', 'pino', 'prom-client', 'rate-limiter-flexible', 'tar-stream', 'ws', 'yaml'],
  ].flat(),
)
/** Their optional dependencies, such as native code. */
const doneWithout = ['bufferutil', 'utf-8-validate', 'supports-color']

/** All other packages of the project: they are not bundled. */
const listLeft = async (root) => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !taken.has(name))
  return [...names, ...doneWithout]
}

/** A script is only strict with this directive. It also defines the names that only an ES module has. */
const banner = "'use strict';const gatehouseUrl=require('node:url').pathToFileURL(__filename).href;"
const define = { 'import.meta.url': 'gatehouseUrl', 'import.meta.dirname': '__dirname' }

/** Further files of every folder of bundles, so that a worker thread finds them as long as its bundle exists. */
const loaders = ['load-script.js', 'source-stacks.js']

/** The module of a worker thread or another process: it runs the script next to it. */
const describeStub = (name, names) =>
  [
    "import { join } from 'node:path'",
    "import { loadScript } from './load-script.js'",
    `const { exports, keepCode } = loadScript(join(import.meta.dirname, '${name}.cjs'))`,
    'keepCode()',
    names.length > 0 ? `export const { ${names.join(', ')} } = exports` : '',
  ].join('\n')

const describeStubs = async (root) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: workers,
    outdir: '.build',
    format: 'esm',
    metafile: true,
    write: false,
  })
  return Object.values(metafile.outputs).map(({ entryPoint, exports }) => {
    const name = basename(entryPoint, '.ts')
    return { name: `${name}.js`, contents: describeStub(name, exports) }
  })
}

const bundleAll = async (root, entryPoints) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    entryNames: '[name]',
    outdir: '.build',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    external: await listLeft(root),
    banner: { js: banner },
    define,
    platform: 'node',
    // A script, because V8 caches the compiled code of scripts only; see load-script.js.
    format: 'cjs',
    target: 'node20',
    // Cached code of V8 cannot import. Packages that are not bundled are required.
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    charset: 'ascii',
    sourcemap: 'linked',
    // Bundles may be deeper, or elsewhere.
    sourceRoot: join(root, '.build'),
    sourcesContent: false,
    metafile: true,
    write: false,
  })
  const beside = await Promise.all(
    loaders.map(async (name) => ({ name, contents: await readFile(join(import.meta.dirname, name)) })),
  )
  const stubs = await describeStubs(root)
  const isMadeOf = (name, sources) => sources.some((source) => basename(source, '.ts') === name)
  /** The bundles of some entry points, and their sources. */
  const list = (sources) => {
    const made = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
    const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => sources.includes(entryPoint))
    if (outputs.length < sources.length) throw new Error(`none of these has a bundle: ${sources.join(' ')}`)
    const inputs = new Set(outputs.flatMap((output) => Object.keys(output.inputs)))
    return {
      files: [...made.filter(({ name }) => isMadeOf(name.replace(/\.cjs(\.map)?$/, ''), sources)), ...stubs, ...beside],
      // A package only changes with an installation, which has its own mark: see `always` in made-bundles.js.
      inputs: [...inputs].filter((path) => !path.startsWith('node_modules/')),
    }
  }
  return list
}

/** Returns for each entry point its bundle, the bundles of its worker threads next to it, and all sources. */
export const bundleEntries = async (root, entries) => {
  const list = await bundleAll(root, [...new Set([...entries, ...workers])])
  return entries.map((entry) => ({ entry, ...list([...new Set([entry, ...workers])]) }))
}
