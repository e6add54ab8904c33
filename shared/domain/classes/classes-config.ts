import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { configRecord } from '../../kernel/config-record.ts'
import { dicePattern } from '../../rules/dice.ts'

/** The pattern of ids of attacks and spells: lower-case letters, digits, _ and -, at most 64. */
const skillIdPattern = '^[a-z][a-z0-9_-]{0,63}$'

const skillId = (description: string) =>
  Type.String({
    pattern: skillIdPattern,
    description: `${description}: lower-case letters, digits, _ and -, starting with a letter, at most 64 characters.`,
  })

/** The kind of a skill; game clients know the kinds, the server does not. */
const skillKind = (description: string) =>
  Type.String({
    pattern: '^[a-z][a-z0-9_-]{0,31}$',
    description: `${description}: a word in lower-case letters, digits, _ and -, at most 32 characters.`,
  })

const skillEnabled = Type.Boolean({
  description: 'Off: no player has the skill. Remove it from all classes first: a class that grants it is refused.',
})

const skillCost = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description: 'Mana or rage per use; 0 is free.',
})

const skillCooldownMs = Type.Integer({
  minimum: 0,
  maximum: 3_600_000,
  description: 'Time between two uses in milliseconds, at most an hour.',
})

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

const bonus = (attribute: string) => Type.Integer({ minimum: -100, maximum: 100, description: `Added to ${attribute}.` })

const Bonuses = ClosedObject(
  {
    str: bonus('strength'),
    dex: bonus('dexterity'),
    int: bonus('intelligence'),
    wis: bonus('wisdom'),
    con: bonus('constitution'),
    cha: bonus('charisma'),
  },
  { description: 'Bonuses of the class to each attribute.' },
)

const formula = (result: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `${result} by level, at least 1 at each level from 1 to 60. The formula may contain numbers, \`level\`, the class's bonuses \`str\`, \`dex\`, \`int\`, \`wis\`, \`con\`, \`cha\`, the operators + - * /, parentheses, and \`min\`, \`max\`, \`floor\`, \`ceil\`, \`round\`. In YAML it needs quotes only if it is a single number.`,
  })

const AttackGrant = ClosedObject({
  attack: skillId('Id of an attack of `skills/attacks.yaml`'),
  rank: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: 'The rank of the attack; a later level may grant a higher one.',
  }),
})

const ClassLevel = ClosedObject({
  attacks: Type.Array(AttackGrant, {
    maxItems: 64,
    description: 'Attacks that the class learns or improves at this level.',
  }),
  spells: Type.Array(skillId('Id of a spell of `skills/spells.yaml`'), {
    maxItems: 64,
    description: 'Spells that the class learns at this level.',
  }),
})

/** A class as in the file. */
export const ClassDefinition = ClosedObject({
  resource: Type.Unsafe<'MANA' | 'RAGE'>({
    type: 'string',
    enum: ['MANA', 'RAGE'],
    description: 'The resource that its skills cost: `MANA` needs `manaFormula`, `RAGE` needs `rageFormula`.',
  }),
  bonuses: Bonuses,
  hpFormula: formula('Hit points'),
  manaFormula: Type.Optional(formula('Required for resource `MANA` and refused otherwise: maximum mana')),
  rageFormula: Type.Optional(formula('Required for resource `RAGE` and refused otherwise: maximum rage')),
  levels: configRecord(ClassLevel, {
    keys: '^([1-9]|[1-5][0-9]|60)$',
    description: 'The skills of the class by level, 1 to 60.',
    required: 'present',
  }),
})
export type ClassDefinition = Static<typeof ClassDefinition>

/** `classes.yaml`: the classes of players. */
export const ClassesConfig = ClosedObject({
  classes: configRecord(ClassDefinition, {
    keys: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
    description:
      'All classes by name: letters, digits, _ and -, starting with a letter, at most 64 characters. At most 100 classes.',
    entriesMax: 100,
  }),
})
export type ClassesConfig = Static<typeof ClassesConfig>
