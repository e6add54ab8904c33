import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { context, type Metafile, type Plugin } from 'esbuild'
import { cloudPlugins, piscinaWorker } from './cloud-plugins.ts'

const root = resolve(import.meta.dirname, '../..')

/** The code of worker threads, by the file names that it has next to the bundle. */
const workers = [
  { in: join(root, 'shared/domain/passwords/password-worker.ts'), out: 'password-worker' },
  { in: join(root, 'shared/domain/configs/reading/parse-config-worker.ts'), out: 'parse-config-worker' },
  { in: join(root, 'shared/domain/worlds/map/tile-worker.ts'), out: 'tile-worker' },
  piscinaWorker,
]

/** CommonJS packages inside an ES module need what only CommonJS modules have. */
const banner = [
  "import { createRequire as gatehouseCreateRequire } from 'node:module'",
  'const require = gatehouseCreateRequire(import.meta.url)',
  'const __dirname = import.meta.dirname',
].join(';')

export type LambdaBundle = {
  /** In bytes: the code that Node reads before it can call the handler. */
  readonly importBytes: number
  /** In bytes: all code, whether loaded at once or on first use. */
  readonly totalBytes: number
}

type Outputs = Metafile['outputs']

/** All imports of `entry`, direct and indirect, except those loaded on first use. */
const listEager = (outputs: Outputs, entry: string, found: Set<string> = new Set()): ReadonlySet<string> => {
  if (found.has(entry)) return found
  found.add(entry)
  for (const { path, kind } of outputs[entry]?.imports ?? [])
    if (kind === 'import-statement' && path in outputs) listEager(outputs, path, found)
  return found
}

/** Imports of a bundle that are neither in it nor in Node, and therefore missing at run time. */
const listOutside = (outputs: Outputs): readonly string[] => {
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external === true))
  return [...new Set(outside.map(({ path }) => path))].filter((path) => !isBuiltin(path))
}

/** The import name of the entry of a Lambda. */
const handlerName = 'gatehouse-handler'

export type LambdaBundler = {
  /**
   * Writes a Lambda for the runtime nodejs22.x into `folder`, on any operating system: `entry` as `handler.js`, minified, with
   * the code of first uses in separate files. Throws for an import that is missing from it. Call one at a time.
   */
  bundle(entry: string, folder: string): Promise<LambdaBundle>
  close(): Promise<void>
}

/** A bundler for any number of Lambdas. They share nearly all sources; each is read and parsed once. */
export const openLambdaBundler = async (): Promise<LambdaBundler> => {
  let entryPath = ''
  const handlerEntry: Plugin = {
    name: 'handler-entry',
    setup: ({ onResolve }) => onResolve({ filter: new RegExp(`^${handlerName}$`) }, () => ({ path: entryPath })),
  }
  const bundling = await context({
    absWorkingDir: root,
    entryPoints: [{ in: handlerName, out: 'handler' }, ...workers],
    outdir: join(root, '.build/lambda'),
    write: false,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    keepNames: false,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner: { js: banner },
    plugins: [handlerEntry, ...cloudPlugins],
    logLevel: 'warning',
  })
  return {
    bundle: async (entry, folder) => {
      entryPath = resolve(root, entry)
      const { metafile, outputFiles } = await bundling.rebuild()
      const outside = listOutside(metafile.outputs)
      if (outside.length > 0) throw new Error(`${entry} needs modules that are missing from its bundle: ${outside.join(', ')}`)
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      for (const { path, contents } of outputFiles) await writeFile(join(folder, basename(path)), contents)
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
      const bytesOf = (paths: Iterable<string>) =>
        [...paths].reduce((bytes, path) => bytes + (metafile.outputs[path]?.bytes ?? 0), 0)
      const handler = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint?.endsWith(entry)) ?? ''
      return { importBytes: bytesOf(listEager(metafile.outputs, handler)), totalBytes: bytesOf(Object.keys(metafile.outputs)) }
    },
    close: () => bundling.dispose(),
  }
}

/** Copies the bundled configs next to a bundle, with the `server.yaml` at `serverConfig` if one is given. */
export const copyConfigs = async (folder: string, serverConfig?: string): Promise<void> => {
  const target = join(folder, 'resources/config')
  await cp(join(root, 'resources/config'), target, { recursive: true })
  if (serverConfig !== undefined) await cp(serverConfig, join(target, 'server.yaml'))
}
