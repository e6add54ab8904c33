import { blocksConfigFile } from './blocks/blocks-config-file.ts'
import { attacksConfigFile } from './classes/attacks-config-file.ts'
import { classesConfigFile } from './classes/classes-config-file.ts'
import { spellsConfigFile } from './classes/spells-config-file.ts'
import type { ConfigFile, ConfigName, ConfigValues } from './declare/config-file.ts'
import { groupsConfigFile } from './groups/groups-config-file.ts'
import { modulesConfigFile } from './modules/modules-config-file.ts'
import { serverConfigFile } from './server/server-config-file.ts'
import { worldgenConfigFile } from './worldgen/worldgen-config-file.ts'

/** All config files by name. To add one, write one file, one line here and one in `ConfigValues`. */
export const catalogue: { readonly [N in ConfigName]: ConfigFile<ConfigValues[N]> } = {
  'server.yaml': serverConfigFile,
  'groups.yaml': groupsConfigFile,
  'blocks.yaml': blocksConfigFile,
  'classes.yaml': classesConfigFile,
  'skills/attacks.yaml': attacksConfigFile,
  'skills/spells.yaml': spellsConfigFile,
  'worldgen.yaml': worldgenConfigFile,
  'modules.yaml': modulesConfigFile,
}

export const isConfigName = (name: string): name is ConfigName => Object.hasOwn(catalogue, name)

export const configNames: readonly ConfigName[] = Object.keys(catalogue).filter(isConfigName).sort()
