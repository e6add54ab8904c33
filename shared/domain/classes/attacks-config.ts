import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { configRecord } from '../../kernel/config-record.ts'
import { dicePattern } from '../../rules/dice.ts'
import { skillCooldownMs, skillCost, skillEnabled, skillIdPattern, skillKind } from './skill-keys.ts'

const AttackRank = ClosedObject({
  power: Type.Number({
    minimum: 0,
    maximum: 100_000,
    description: 'Damage of a hit in hit points; the dice are added to it.',
  }),
  cooldownMs: skillCooldownMs,
  cost: skillCost,
  dice: Type.String({
    pattern: dicePattern,
    description: 'Random damage: `2d6+3` is two six-sided dice plus three. 1 to 99 dice of 2 to 100 sides.',
  }),
})

/** An attack as in the file. */
export const Attack = ClosedObject({
  damageType: skillKind('The kind of damage, such as `slashing` or `fire`'),
  enabled: skillEnabled,
  ranks: configRecord(AttackRank, {
    keys: '^[1-9][0-9]?$',
    description: 'By rank, from 1 without gaps, at most 99. A class grants one rank and may grant a higher one later.',
    required: 'filled',
  }),
})

/** `skills/attacks.yaml`: the attacks of players. */
export const AttacksConfig = ClosedObject({
  attacks: configRecord(Attack, {
    keys: skillIdPattern,
    description:
      'All attacks by id: lower-case letters, digits, _ and -, starting with a letter, at most 64 characters. Classes refer to the ids.',
  }),
})
export type AttacksConfig = Static<typeof AttacksConfig>
