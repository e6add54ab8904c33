import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { configRecord } from '../../kernel/config-record.ts'
import { skillId } from './skill-keys.ts'

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
