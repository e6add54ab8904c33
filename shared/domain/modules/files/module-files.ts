import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, SourceMap } from 'node:module'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileFunction } from 'node:vm'
import type { BuildFailure, Message, Plugin } from 'esbuild'
import type { Fault } from '../../../kernel/errors.ts'
import { replaceFile } from '../../../platform/storage/files/atomic-file.ts'
import { type ModuleCode, ModuleNotLoaded, type ModuleSources, type SourcePlace } from '../module-source.ts'
import { moduleNamePattern } from '../modules-config.ts'

export type ModuleFilesOptions = {
  /** The folders with modules, in order. A folder that does not exist has none. */
  readonly folders: readonly string[]
  /** The folder for profiles. */
  readonly profilesFolder: string
  /** The folder of the project, whose `node_modules` has the packages. */
  readonly projectFolder: string
}

const extensions = ['.ts', '.js', '.mjs', '.cjs'] as const
const entryNames = ['module.ts', 'module.js', 'module.mjs', 'module.cjs'] as const
const isName = (name: string): boolean => new RegExp(moduleNamePattern).test(name)

/** The packages that a module gets from the server. */
const helperOfServer = 'gatehouse/module'
const ownPackage = /^@sinclair\/typebox($|\/)/

/** The definition helper returns its argument: it exists for its types. */
const helperCode = 'export const defineModule = (spec) => spec\n'

/** Resolves what modules import from the server to the server's own copy. */
const serverCopies = (serverFile: string): Plugin => ({
  name: 'server-copies',
  setup: (build) => {
    build.onResolve({ filter: /^gatehouse\/module$/ }, () => ({ path: helperOfServer, namespace: 'gatehouse' }))
    build.onLoad({ filter: /.*/, namespace: 'gatehouse' }, () => ({ contents: helperCode, loader: 'js' }))
    build.onResolve({ filter: ownPackage }, ({ path, pluginData }) =>
      pluginData === 'server'
        ? undefined
        : build.resolve(path, { kind: 'import-statement', resolveDir: dirname(serverFile), pluginData: 'server' }),
    )
  },
})

type Located = { readonly file: string; readonly folder: string; readonly version?: string }

const toModulePath = (folder: string, absolute: string): string => relative(folder, absolute).split(sep).join('/')

const faultOf =
  (folder: string) =>
  ({ text, location }: Message): Fault => ({
    message: text,
    ...(location !== null && {
      file: toModulePath(folder, isAbsolute(location.file) ? location.file : resolve(folder, location.file)),
      line: location.line,
      column: location.column + 1,
    }),
  })

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

export type ModuleFiles = ModuleSources & {
  /** Writes a module into `folder` as `NAME.cjs` with its source map, for servers without esbuild. Throws ModuleNotLoaded. */
  bundle(folder: string, name: string, packageName?: string): Promise<void>
}

const isMissingPackage = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')

/** Modules as files, folders and npm packages. TypeScript is bundled by esbuild. A `.cjs` file is a bundle already. */
export const createModuleFiles = ({ folders: named, profilesFolder, projectFolder }: ModuleFilesOptions): ModuleFiles => {
  const folders = [...new Set(named.map((folder) => resolve(folder)))]
  const serverFile = fileURLToPath(import.meta.url)

  const findIn = (folder: string, name: string): readonly Located[] =>
    [
      ...extensions.map((extension) => join(folder, `${name}${extension}`)),
      ...entryNames.map((entry) => join(folder, name, entry)),
    ]
      .filter((file) => existsSync(file))
      .map((file) => ({ file, folder }))

  const findPackage = async (packageName: string): Promise<Located | undefined> => {
    const from = createRequire(pathToFileURL(join(resolve(projectFolder), 'package.json')))
    try {
      const file = from.resolve(packageName)
      const folder =
        file.slice(0, file.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules${sep}`.length) || dirname(file)
      const described: unknown = await readFile(join(folder, packageName, 'package.json'), 'utf8').then(
        JSON.parse,
        () => undefined,
      )
      const version =
        typeof described === 'object' && described !== null && 'version' in described && typeof described.version === 'string'
          ? described.version
          : undefined
      return { file, folder, ...(version !== undefined && { version }) }
    } catch (error) {
      if (isMissingPackage(error)) return undefined
      throw error
    }
  }

  const find = async (name: string, packageName: string | undefined): Promise<Located> => {
    const [own, ...others] = packageName === undefined ? folders.flatMap((folder) => findIn(folder, name)) : []
    if (own !== undefined && others.length > 0) {
      const files = [own, ...others].map(({ file }) => file).join(' and ')
      throw new ModuleNotLoaded([{ message: `The files ${files} define the module ${name}. Keep one of them.` }])
    }
    if (own !== undefined) return own
    const located = await findPackage(packageName ?? name)
    if (located !== undefined) return located
    // An image has packages as bundles.
    const bundled = folders.map((folder) => ({ file: join(folder, `${name}.cjs`), folder })).find(({ file }) => existsSync(file))
    if (bundled !== undefined) return bundled
    const where = packageName === undefined ? `in ${folders.join(', ')}` : `package ${packageName} in node_modules`
    throw new ModuleNotLoaded([{ message: `There is no module ${name} ${where}. Add its file, or remove it from modules.yaml.` }])
  }

  /** The code of a module, and the text of its source map. */
  const bundle = async ({ file, folder }: Located): Promise<{ readonly code: string; readonly map: string | undefined }> => {
    if (file.endsWith('.cjs')) {
      const map = await readFile(`${file}.map`, 'utf8').catch(() => undefined)
      return { code: await readFile(file, 'utf8'), map }
    }
    const { build } = await import('esbuild').catch((cause: unknown) => {
      const message = `esbuild is not installed, so ${toModulePath(folder, file)} cannot be bundled. Use a bundle of npm run package -- --modules.`
      throw isMissingPackage(cause) ? new ModuleNotLoaded([{ message }]) : cause
    })
    try {
      const { outputFiles } = await build({
        entryPoints: [file],
        bundle: true,
        write: false,
        outdir: folder,
        absWorkingDir: resolve(folder),
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        sourcemap: 'external',
        sourcesContent: false,
        logLevel: 'silent',
        plugins: [serverCopies(serverFile)],
      })
      const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
      return { code: textOf('.js'), map: textOf('.js.map') }
    } catch (error) {
      if (isBuildFailure(error)) throw new ModuleNotLoaded(error.errors.map(faultOf(folder)))
      throw error
    }
  }

  return {
    openProfile: async (name) => {
      await mkdir(profilesFolder, { recursive: true })
      const path = join(profilesFolder, `${name}.cpuprofile`)
      return {
        path,
        write: async (text) => {
          await replaceFile(path, text)
        },
      }
    },
    list: async () => {
      const names = new Set<string>()
      for (const folder of folders) {
        const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
        for (const entry of entries) {
          const dot = entry.isDirectory() ? -1 : entry.name.indexOf('.')
          const name = dot < 0 ? entry.name : entry.name.slice(0, dot)
          if (isName(name) && findIn(folder, name).length > 0) names.add(name)
        }
      }
      return [...names].sort()
    },
    bundle: async (folder, name, packageName) => {
      const { code, map } = await bundle(await find(name, packageName))
      await writeFile(join(folder, `${name}.cjs`), code)
      // Beside the bundle: with a map inside, Node would change the places in stacks that are looked up here.
      if (map !== undefined) await writeFile(join(folder, `${name}.cjs.map`), map)
    },
    load: async (name, packageName): Promise<ModuleCode> => {
      const located = await find(name, packageName)
      const { folder, file } = located
      const { code, map: mapText } = await bundle(located)
      /** Read with the first fault: it takes milliseconds on the thread of the game. */
      let map: SourceMap | undefined
      const inFolder = toModulePath(folder, file)
      const findPlace = (stack: string): SourcePlace | undefined => {
        if (mapText !== undefined) map ??= new SourceMap(JSON.parse(mapText))
        for (const line of stack.split('\n')) {
          const at = line.lastIndexOf(`${file}:`)
          const found = at < 0 ? null : /^(\d+):(\d+)\)?$/.exec(line.slice(at + file.length + 1))
          if (found === null) continue
          const [row, column] = [Number(found[1]), Number(found[2])]
          if (map === undefined) return { file: inFolder, line: row, column }
          const entry = map.findEntry(row - 1, column - 1)
          if (!('originalSource' in entry)) continue
          const source = resolve(folder, entry.originalSource)
          // A place in a dependency says less than the call of it.
          if (source.includes(`${sep}node_modules${sep}`) && !file.includes(`${sep}node_modules${sep}`)) continue
          return { file: toModulePath(folder, source), line: entry.originalLine + 1, column: entry.originalColumn + 1 }
        }
        return undefined
      }
      const compile = (): ((module: object, exports: object, require: NodeJS.Require) => void) => {
        try {
          return compileFunction(code, ['module', 'exports', 'require'], { filename: file }) as ReturnType<typeof compile>
        } catch (error) {
          const stack = error instanceof Error ? (error.stack ?? '') : ''
          const place = findPlace(stack.split('\n')[0] ?? '')
          throw new ModuleNotLoaded([{ message: String(error), ...place }])
        }
      }
      const run = compile()
      return {
        text: code,
        file: inFolder,
        version: located.version,
        findPlace,
        evaluate: () => {
          const exported: { exports: Record<string, unknown> } = { exports: {} }
          run(exported, exported.exports, createRequire(pathToFileURL(file)))
          return exported.exports.default ?? exported.exports
        },
      }
    },
  }
}
