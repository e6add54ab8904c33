import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { configRecord } from '../../kernel/config-record.ts'
import { skillCooldownMs, skillCost, skillEnabled, skillIdPattern, skillKind } from './skill-keys.ts'

const Spell = ClosedObject({
  type: skillKind('What kind of spell it is, such as `healing` or `ward`'),
  enabled: skillEnabled,
  cost: skillCost,
  cooldownMs: skillCooldownMs,
  radius: Type.Number({
    minimum: 0,
    maximum: 64,
    description: 'How far around its target it works, in blocks; 0 is the target alone.',
  }),
  maxRange: Type.Number({
    minimum: 0,
    maximum: 256,
    description: 'How far away the target may be, in blocks; 0 is the caster.',
  }),
})

/** `skills/spells.yaml`: what players cast besides attacks. */
export const SpellsConfig = ClosedObject({
  spells: configRecord(Spell, {
    keys: skillIdPattern,
    description: 'Every spell by its id: lower-case letters, digits, _ and -, a letter first, at most 64. Classes name them.',
  }),
})
export type SpellsConfig = Static<typeof SpellsConfig>
