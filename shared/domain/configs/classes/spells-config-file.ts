import { SpellsConfig } from '../../classes/classes-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'

/** `skills/spells.yaml`: applies on reload. */
export const spellsConfigFile = defineConfigFile({
  schema: SpellsConfig,
  summary: 'The spells of classes.',
  effect: 'reload',
  crossCheck: () => [],
})
