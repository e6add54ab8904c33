import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { bundleModules } from '../../infra/containers/bundle-half.ts'
import { ModuleNotLoaded } from '../../shared/domain/modules/module-source.ts'

/** The packages that `modules.yaml` names, by module. A file that is absent or has mistakes names none. */
const readPackages = async (dataDir: string): Promise<Record<string, string>> => {
  const text = await readFile(join(dataDir, 'config/modules.yaml'), 'utf8').catch(() => '')
  const read: unknown = parse(text)
  const modules = typeof read === 'object' && read !== null && 'modules' in read ? read.modules : undefined
  return Object.fromEntries(
    Object.entries(typeof modules === 'object' && modules !== null ? modules : {}).flatMap(([name, entry]: [string, unknown]) =>
      typeof entry === 'object' && entry !== null && 'package' in entry ? [[name, String(entry.package)]] : [],
    ),
  )
}

/**
 * `npm run package -- --modules [FOLDER …] [--out FOLDER]`: bundles modules for servers without esbuild. Without folders, those of a
 * server that starts here. Prints what it did, and returns the exit code.
 */
export const packageModules = async (named: readonly string[], out: string): Promise<number> => {
  const { DATA_DIR: dataDir = 'data', GATEHOUSE_MODULES: more } = process.env
  const own = [join(dataDir, 'modules'), ...(more === undefined || more === '' ? [] : [more])]
  const folders = named.length > 0 ? named : own
  try {
    const packages = await readPackages(dataDir)
    const names = await bundleModules({ folders, packages, projectFolder: process.cwd(), out })
    if (names.length === 0) {
      process.stderr.write(`There is no module in ${folders.join(' or ')}.\n`)
      return 2
    }
    process.stdout.write(`Bundled ${names.join(', ')} into ${out}. Set GATEHOUSE_MODULES to this folder on the server.\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ModuleNotLoaded)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}
