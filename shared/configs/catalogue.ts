import { blocksConfigFile } from './blocks-config-file.ts'
import type { ConfigFile } from './config-file.ts'
import { groupsConfigFile } from './groups-config-file.ts'
import { serverConfigFile } from './server-config-file.ts'
import { worldgenConfigFile } from './worldgen-config-file.ts'

type Catalogue<V> = { readonly [N in keyof V]: ConfigFile<V[N]> }
type ValuesOf<C> = C extends Catalogue<infer V> ? V : never

const files = {
  'server.yaml': serverConfigFile,
  'groups.yaml': groupsConfigFile,
  'blocks.yaml': blocksConfigFile,
  'worldgen.yaml': worldgenConfigFile,
} as const

/** What each config file is once parsed, by its name. */
export type ConfigValues = ValuesOf<typeof files>
export type ConfigName = keyof ConfigValues

/** Every config file there is, by its name; a new one is one file and one line here. */
export const catalogue: Catalogue<ConfigValues> = files

const isConfigName = (name: string): name is ConfigName => Object.hasOwn(catalogue, name)

/** Every name of the catalogue, sorted. */
export const configNames: readonly ConfigName[] = Object.keys(catalogue).filter(isConfigName).sort()
