import { defineConfigFile } from '../declare/config-file.ts'
import { SpellsConfig } from './spells-config.ts'

/** `skills/spells.yaml`: in force on reload. */
export const spellsConfigFile = defineConfigFile({
  schema: SpellsConfig,
  summary: 'The spells that classes grant.',
  effect: 'reload',
  crossCheck: () => [],
})
