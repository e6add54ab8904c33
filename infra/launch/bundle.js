import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const workers = [
  'shared/accounts/store/users-file/users-document-worker.ts',
  'shared/auth/passwords/password-worker.ts',
  'shared/backups/lmdb/copy-process.ts',
  'shared/configs/reading/parse-config-worker.ts',
  'shared/worlds/map/tile-worker.ts',
  'realtime/workers/generation-worker.ts',
]

/** Packages of many small files, plain JavaScript, which every start would look up and read one by one: a quarter of a second. */
const taken = new Set(
  [
    ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', '@sinclair/typebox', 'ajv', 'ajv-formats', 'cors', 'express', 'helmet'],
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

/** CommonJS packages in an ES module ask for what only CommonJS modules have. */
const banner = [
  "import { createRequire as gatehouseCreateRequire } from 'node:module'",
  'const require = gatehouseCreateRequire(import.meta.url)',
  'const __dirname = import.meta.dirname',
].join(';')

const bundleAll = async (root, entryPoints) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    entryNames: '[name]',
    outdir: '.build',
    bundle: true,
    splitting: true,
    external: await listLeft(root),
    banner: { js: banner },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // A start reads all of it: smaller text, with its names, takes a fifth of the processor time off.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    write: false,
  })
  return {
    files: outputFiles.map(({ path, contents }) => ({ name: basename(path), contents })),
    // A package changes by an installation alone, which leaves its mark: see `always` in made-bundles.js.
    inputs: Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/')),
  }
}

/** The bundles of an entry point and of the threads that it may start, side by side, and all sources. */
export const bundle = (root, entry) => bundleAll(root, [entry, ...workers])

/** The bundles of the threads alone. */
export const bundleThreads = (root) => bundleAll(root, workers)
