import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { configRecord } from '../../kernel/config-record.ts'
import { skillId } from './skill-keys.ts'

const bonus = (attribute: string) =>
  Type.Integer({ minimum: -100, maximum: 100, description: `What the class adds to ${attribute}.` })

const Bonuses = ClosedObject(
  {
    str: bonus('strength'),
    dex: bonus('dexterity'),
    int: bonus('intelligence'),
    wis: bonus('wisdom'),
    con: bonus('constitution'),
    cha: bonus('charisma'),
  },
  { description: 'What the class adds to each attribute; 0 is nothing.' },
)

const formula = (result: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `${result} at a level, 1 or more at each of 1 to 60: numbers, \`level\`, the class's bonuses \`str\`, \`dex\`, \`int\`, \`wis\`, \`con\`, \`cha\`, + - * / and parentheses, and \`min\`, \`max\`, \`floor\`, \`ceil\`, \`round\`. In YAML it needs no quotes unless it is a number alone.`,
  })

const AttackGrant = ClosedObject({
  attack: skillId('Id of an attack of `skills/attacks.yaml`'),
  rank: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: 'The rank of it; a later level may grant a higher one.',
  }),
})

const ClassLevel = ClosedObject({
  attacks: Type.Array(AttackGrant, {
    maxItems: 64,
    description: 'Attacks that the class learns at this level, or learns a higher rank of.',
  }),
  spells: Type.Array(skillId('Id of a spell of `skills/spells.yaml`'), {
    maxItems: 64,
    description: 'Spells that the class learns at this level.',
  }),
})

/** A class as it stands in the file. */
export const ClassDefinition = ClosedObject({
  resource: Type.Unsafe<'MANA' | 'RAGE'>({
    type: 'string',
    enum: ['MANA', 'RAGE'],
    description: 'What its skills cost: `MANA` needs `manaFormula`, `RAGE` needs `rageFormula`.',
  }),
  bonuses: Bonuses,
  hpFormula: formula('Hit points'),
  manaFormula: Type.Optional(formula('Where resource is `MANA`, which is nothing without it: most mana')),
  rageFormula: Type.Optional(formula('Where resource is `RAGE`, which is nothing without it: most rage')),
  levels: configRecord(ClassLevel, {
    keys: '^([1-9]|[1-5][0-9]|60)$',
    description: 'What it learns, by level: 1 to 60.',
    required: 'present',
  }),
})
export type ClassDefinition = Static<typeof ClassDefinition>

/** `classes.yaml`: what players can be. */
export const ClassesConfig = ClosedObject({
  classes: configRecord(ClassDefinition, {
    keys: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
    description: 'Every class by its name: letters, digits, _ and -, a letter first, at most 64; 100 classes at the most.',
    entriesMax: 100,
  }),
})
export type ClassesConfig = Static<typeof ClassesConfig>
