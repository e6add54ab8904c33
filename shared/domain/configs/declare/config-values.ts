import type { AttacksConfig, ClassesConfig, SpellsConfig } from '../../classes/classes-config.ts'
import type { ModulesConfig } from '../../modules/modules-config.ts'
import type { GroupsConfig } from '../../permissions/groups-config.ts'
import type { BlocksConfig } from '../../worlds/blocks-config.ts'
import type { WorldgenConfig } from '../../worlds/generation/worldgen-config.ts'
import type { ServerConfig } from '../server/server-config.ts'

/** The parsed value of each config file. */
export type ConfigValues = {
  'server.yaml': ServerConfig
  'groups.yaml': GroupsConfig
  'blocks.yaml': BlocksConfig
  'classes.yaml': ClassesConfig
  'skills/attacks.yaml': AttacksConfig
  'skills/spells.yaml': SpellsConfig
  'worldgen.yaml': WorldgenConfig
  'modules.yaml': ModulesConfig
}
export type ConfigName = keyof ConfigValues

/** The other config files; a file that is broken or not read yet is undefined. */
export type OtherConfigs = {
  find<N extends ConfigName>(name: N): ConfigValues[N] | undefined
}
