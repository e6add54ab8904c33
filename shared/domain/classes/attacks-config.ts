import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { configRecord } from '../../kernel/config-record.ts'
import { skillCooldownMs, skillCost, skillEnabled, skillIdPattern, skillKind } from './skill-keys.ts'

const AttackRank = ClosedObject({
  power: Type.Number({
    minimum: 0,
    maximum: 100_000,
    description: 'Damage of a hit in hit points, to which the dice are added.',
  }),
  cooldownMs: skillCooldownMs,
  cost: skillCost,
  dice: Type.String({
    pattern: '^[1-9][0-9]?d([2-9]|[1-9][0-9]|100)([+-](0|[1-9][0-9]{0,3}))?$',
    description: 'What luck adds: `2d6+3` is two dice of six sides and three; 1 to 99 dice of 2 to 100 sides.',
  }),
})

const Attack = ClosedObject({
  damageType: skillKind('What kind of damage it does, such as `slashing` or `fire`'),
  enabled: skillEnabled,
  ranks: configRecord(AttackRank, {
    keys: '^[1-9][0-9]?$',
    description: 'By rank, from 1 up without gaps, 99 at the most; a class grants one rank, and may grant a higher one later.',
    required: 'filled',
  }),
})

/** `skills/attacks.yaml`: what players hit with. */
export const AttacksConfig = ClosedObject({
  attacks: configRecord(Attack, {
    keys: skillIdPattern,
    description: 'Every attack by its id: lower-case letters, digits, _ and -, a letter first, at most 64. Classes name them.',
  }),
})
export type AttacksConfig = Static<typeof AttacksConfig>
