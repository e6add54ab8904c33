import { SpellsConfig } from '../../classes/spells-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'

/** `skills/spells.yaml`: in force on reload. */
export const spellsConfigFile = defineConfigFile({
  schema: SpellsConfig,
  summary: 'The spells that classes grant.',
  effect: 'reload',
  crossCheck: () => [],
})
