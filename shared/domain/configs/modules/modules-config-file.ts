import { ModulesConfig } from '../../modules/modules-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'

/** `modules.yaml`: applies on reload. */
export const modulesConfigFile = defineConfigFile({
  schema: ModulesConfig,
  summary: 'The modules of the server, their settings and their limits.',
  effect: 'reload',
  crossCheck: () => [],
})
