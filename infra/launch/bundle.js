import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** Threads and other processes that a program starts, by modules of their own beside it; the images have them too. */
const workers = JSON.parse(readFileSync(join(import.meta.dirname, 'beside.json'), 'utf8'))

/** Plain JavaScript, much of it in many small files, which every start would look up and read one by one: a quarter of a second. */
const taken = new Set(
  [
    [
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/lib-dynamodb',
      '@bufbuild/protobuf',
      '@sinclair/typebox',
      'ajv',
      'ajv-formats',
      'bcryptjs',
    ],
    ['cors', 'express', 'fastest-levenshtein', 'helmet', 'nbtify', 'simplex-noise'],
    ['httpxy', 'ioredis', 'jsep', 'openid-client', 'pino', 'prom-client', 'rate-limiter-flexible', 'ws', 'yaml'],
  ].flat(),
)
/** What those use when it is there: native code, for one. */
const doneWithout = ['bufferutil', 'utf-8-validate', 'supports-color']

/** All packages of the project but those: they stay where they are. */
const listLeft = async (root) => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !taken.has(name))
  return [...names, ...doneWithout]
}

/** A script is strict only where it begins so. And how the names that only an ES module has are said in one. */
const banner = "'use strict';const gatehouseUrl=require('node:url').pathToFileURL(__filename).href;"
const define = { 'import.meta.url': 'gatehouseUrl', 'import.meta.dirname': '__dirname' }

/** What every folder of bundles holds besides, so that a thread finds it for as long as its bundle is there. */
const loaders = ['load-script.js', 'source-stacks.js']

/** The module of a thread or of another process: it runs the script beside it. */
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
    // A script, since V8 keeps the compiled code of scripts only; see load-script.js.
    format: 'cjs',
    target: 'node20',
    // V8 keeps code that forgets how to import. What is not bundled is required.
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    charset: 'ascii',
    sourcemap: 'linked',
    // Bundles lie deeper, or elsewhere.
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
  /** Those of some of the entry points, and their sources. */
  const list = (sources) => {
    const made = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
    const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => sources.includes(entryPoint))
    if (outputs.length < sources.length) throw new Error(`no bundle was made of one of these: ${sources.join(' ')}`)
    const inputs = new Set(outputs.flatMap((output) => Object.keys(output.inputs)))
    return {
      files: [...made.filter(({ name }) => isMadeOf(name.replace(/\.cjs(\.map)?$/, ''), sources)), ...stubs, ...beside],
      // A package changes by an installation alone, which leaves its mark: see `always` in made-bundles.js.
      inputs: [...inputs].filter((path) => !path.startsWith('node_modules/')),
    }
  }
  return list
}

/** For each entry point its bundle, those of the threads that it may start, side by side, and all sources. */
export const bundleEntries = async (root, entries) => {
  const list = await bundleAll(root, [...entries, ...workers])
  return entries.map((entry) => ({ entry, ...list([entry, ...workers]) }))
}

/** The bundles of the threads alone. */
export const bundleThreads = async (root) => (await bundleAll(root, workers))(workers)
