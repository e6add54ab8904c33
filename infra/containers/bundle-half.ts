import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { createModuleFiles } from '../../shared/domain/modules/files/module-files.ts'
import modulesBeside from '../launch/beside.json' with { type: 'json' }
import { nativePackages } from './native-packages.ts'

/** The content of an image: the program and its tasks. */
export type Half = {
  /** Entry points of the project; each becomes a file with its own name. */
  readonly entries: readonly string[]
  /** Whether it serves the pages for browsers. */
  readonly servesPages: boolean
  /** Whether it runs modules. Its image then has those of `data/modules` as bundles. */
  readonly runsModules: boolean
}

/**
 * The defaults of `server.yaml` in every image, by their paths in the project and next to the program. The second file is
 * for `SERVER_DEFAULTS` behind the proxies of AWS.
 */
export const imageServerDefaults: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'infra/containers/server.yaml', to: 'resources/config/server.yaml' },
  { from: 'infra/cloud/server.yaml', to: 'resources/aws/server.yaml' },
]

const halves: ReadonlyMap<string, Half> = new Map([
  [
    'http',
    {
      entries: [
        'infra/http.ts',
        'tools/tables.ts',
        'tools/adduser.ts',
        'tools/token.ts',
        'tools/oauth.ts',
        'tools/migrate.ts',
        'tools/backup.ts',
      ],
      servesPages: true,
      runsModules: false,
    },
  ],
  ['realtime', { entries: ['realtime/main.ts', 'tools/world.ts'], servesPages: false, runsModules: true }],
])

/** The names of the halves. */
export const halfNames: readonly string[] = [...halves.keys()]

/** The half with this name, or undefined. */
export const findHalf = (name: string): Half | undefined => halves.get(name)

/**
 * Files that are loaded by name next to the program: worker threads and other processes, as every start bundles them, and the
 * health check.
 */
const beside = [
  ...modulesBeside,
  'infra/containers/health-check.ts',
  // Piscina loads its own worker as `worker.js`.
  'node_modules/piscina/dist/worker.js',
]

/** Optional dependencies of other packages, and esbuild: images take modules as bundles. */
const doneWithout = ['bufferutil', 'utf-8-validate', 'supports-color', 'esbuild']

/** CommonJS packages inside an ES module need what only CommonJS modules have. */
const banner = [
  "import { createRequire as gatehouseCreateRequire } from 'node:module'",
  'const require = gatehouseCreateRequire(import.meta.url)',
  'const __dirname = import.meta.dirname',
].join(';')

const nameOf = (path: string): string => basename(path).replace(/\.[jt]s$/, '')

type ProgramOptions = {
  /** Entry points of the project, each with the name of its file. */
  readonly entries: readonly { readonly in: string; readonly out: string }[]
  /** Packages next to the program. */
  readonly packages: readonly string[]
  readonly target: string
}

/** Names the sources of a map as if the project were the folder above it. So it has no path of the machine. */
const nameSourcesFrom = async (root: string, path: string): Promise<void> => {
  const map: { readonly sources: readonly string[] } = JSON.parse(await readFile(path, 'utf8'))
  const sources = map.sources.map((source) => `../${relative(root, resolve(dirname(path), source)).replaceAll('\\', '/')}`)
  await writeFile(path, JSON.stringify({ ...map, sources }))
}

/**
 * Bundles programs of the project at `root` into `folder`: JavaScript that needs only Node and `packages`. Returns the paths of all
 * sources. Throws if it needs anything else.
 */
export const bundleProgram = async (
  root: string,
  folder: string,
  { entries, packages, target }: ProgramOptions,
): Promise<readonly string[]> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    metafile: true,
    external: [...packages, ...doneWithout],
    platform: 'node',
    format: 'esm',
    target,
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: banner },
    logLevel: 'warning',
  })
  for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.map')) await nameSourcesFrom(root, resolve(root, path))
  const wanted = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external === true))
  const missing = new Set(wanted.map(({ path }) => path).filter((path) => !isBuiltin(path)))
  for (const path of missing)
    if ([...packages, ...doneWithout].some((name) => path === name || path.startsWith(`${name}/`))) missing.delete(path)
  if (missing.size > 0) throw new Error(`The program needs modules that are missing from its image: ${[...missing].join(', ')}`)
  return Object.keys(metafile.inputs)
}

/** The entry points of modules that are loaded by name next to the program. */
export const listBeside = (): ProgramOptions['entries'] => beside.map((path) => ({ in: path, out: nameOf(path) }))

/**
 * Writes the program of `half` of the project at `root` into `folder`: JavaScript that needs only Node and the native packages,
 * with the bundled configs. Throws if it needs anything else.
 */
export const bundleHalf = async (root: string, half: Half, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const entries = [...half.entries.map((path) => ({ in: path, out: nameOf(path) })), ...listBeside()]
  await bundleProgram(root, folder, { entries, packages: nativePackages, target: 'node22' })
  await cp(join(root, 'resources'), join(folder, 'resources'), { recursive: true })
  for (const { from, to } of imageServerDefaults) await cp(join(root, from), join(folder, to))
  // A new data folder would get this file, and it requires no password.
  await rm(join(folder, 'resources/starter/server.yaml'))
}

type BundleModulesOptions = {
  /** The folders with modules. A folder that does not exist has none. */
  readonly folders: readonly string[]
  /** npm packages of `projectFolder`, by name of the module. */
  readonly packages?: Readonly<Record<string, string>>
  /** The folder with the `node_modules` of the modules. */
  readonly projectFolder: string
  readonly out: string
}

/**
 * Bundles modules into `out`, each into a file `NAME.cjs` that a server loads without esbuild. Returns their names. Throws
 * ModuleNotLoaded with the place of a fault.
 */
export const bundleModules = async ({
  folders,
  packages = {},
  projectFolder,
  out,
}: BundleModulesOptions): Promise<readonly string[]> => {
  const files = createModuleFiles({ folders, profilesFolder: join(out, '.profiles'), projectFolder })
  const names = [...new Set([...(await files.list()), ...Object.keys(packages)])].sort()
  await mkdir(out, { recursive: true })
  for (const name of names) await files.bundle(out, name, packages[name])
  return names
}
