import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { configRecord } from '../../kernel/config-record.ts'
import { skillCooldownMs, skillCost, skillEnabled, skillIdPattern, skillKind } from './skill-keys.ts'

/** A spell as in the file. */
export const Spell = ClosedObject({
  type: skillKind('The kind of spell, such as `healing` or `ward`'),
  enabled: skillEnabled,
  cost: skillCost,
  cooldownMs: skillCooldownMs,
  radius: Type.Number({
    minimum: 0,
    maximum: 64,
    description: 'Radius of the effect around the target in blocks; 0 affects only the target.',
  }),
  maxRange: Type.Number({
    minimum: 0,
    maximum: 256,
    description: 'Maximum distance of the target in blocks; 0 is the caster.',
  }),
})

/** `skills/spells.yaml`: the spells of players. */
export const SpellsConfig = ClosedObject({
  spells: configRecord(Spell, {
    keys: skillIdPattern,
    description:
      'All spells by id: lower-case letters, digits, _ and -, starting with a letter, at most 64 characters. Classes refer to the ids.',
  }),
})
export type SpellsConfig = Static<typeof SpellsConfig>
