import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createModuleFiles } from '../../shared/domain/modules/files/module-files.ts'

export type BundleModulesOptions = {
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
