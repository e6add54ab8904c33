import { basename } from 'node:path'
import { build } from 'esbuild'

const workers = [
  'shared/auth/passwords/password-worker.ts',
  'shared/backups/lmdb/copy-process.ts',
  'shared/configs/reading/parse-config-worker.ts',
  'shared/worlds/map/tile-worker.ts',
  'realtime/workers/generation-worker.ts',
]

/** The bundles of an entry point and of the threads that it may start, side by side, and all sources; packages stay where they are. */
export const bundle = async (root, entry) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry, ...workers],
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
