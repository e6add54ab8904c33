import { basename } from 'node:path'
import { build } from 'esbuild'

const workers = [
  'shared/auth/passwords/password-worker.ts',
  'shared/backups/lmdb/copy-process.ts',
  'shared/configs/reading/parse-config-worker.ts',
  'shared/worlds/map/tile-worker.ts',
  'realtime/workers/generation-worker.ts',
]

const bundleAll = async (root, entryPoints) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    entryNames: '[name]',
    outdir: '.build',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    metafile: true,
    write: false,
  })
  return {
    files: outputFiles.map(({ path, contents }) => ({ name: basename(path), contents })),
    inputs: Object.keys(metafile.inputs),
  }
}

/** The bundles of an entry point and of the threads that it may start, side by side, and all sources; packages stay where they are. */
export const bundle = (root, entry) => bundleAll(root, [entry, ...workers])

/** The bundles of the threads alone. */
export const bundleThreads = (root) => bundleAll(root, workers)
