import { type Static, Type } from '@sinclair/typebox'
import { listUnlockedAttacks } from '../../shared/domain/classes/class-levels.ts'
import {
  Attack,
  type AttacksConfig,
  ClassDefinition,
  type ClassesConfig,
  Spell,
  type SpellsConfig,
} from '../../shared/domain/classes/classes-config.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import { ok, route } from '../http/route.ts'

/** Lists the active classes in the form of `classes.yaml`. */
export const listClasses = route({
  method: 'get',
  path: '/api/admin/classes',
  permission: 'admin.classes.read',
  operationId: 'listClasses',
  summary: 'Every active class by its name, as in `classes.yaml`.',
  responses: { 200: Type.Record(Type.String(), ClassDefinition, { description: 'Classes by name.' }) },
  handle: ({ configs }) => ok(configs.get('classes.yaml').classes),
})

export const Skills = ClosedObject({
  attacks: Type.Array(Type.String(), { description: 'Ids, sorted.' }),
  spells: Type.Array(Type.String(), { description: 'Ids, sorted.' }),
  attackDetails: Type.Record(Type.String(), Attack, { description: 'Attacks by id, with their ranks.' }),
  spellDetails: Type.Record(Type.String(), Spell, { description: 'Spells by id.' }),
})

/** Lists the skills that classes may name, disabled ones included. */
export const listSkills = route({
  method: 'get',
  path: '/api/admin/skills',
  permission: 'admin.classes.read',
  operationId: 'listSkills',
  summary: 'All attacks and spells with ranks, costs and cooldowns, disabled ones included.',
  responses: { 200: Skills },
  handle: ({ configs }) => {
    const { attacks } = configs.get('skills/attacks.yaml')
    const { spells } = configs.get('skills/spells.yaml')
    return ok({
      attacks: Object.keys(attacks).toSorted(),
      spells: Object.keys(spells).toSorted(),
      attackDetails: attacks,
      spellDetails: spells,
    })
  },
})

const Levels = Type.Record(Type.String(), Type.Array(Type.String()))
export const Unlocks = Type.Record(Type.String(), Levels, {
  description: 'Ids of attacks by class and level, each once, lower levels first.',
})

/** The rules that a game client needs: the classes, and each skill that one of them grants. */
export const ClassDetails = ClosedObject({
  classes: Type.Record(Type.String(), ClassDefinition, { description: 'Classes by name, as in `classes.yaml`.' }),
  attackDetails: Type.Record(Type.String(), Attack, { description: 'The granted attacks by id, with their ranks.' }),
  spellDetails: Type.Record(Type.String(), Spell, { description: 'The granted spells by id.' }),
})

type Rules = {
  readonly classes: ClassesConfig['classes']
  readonly attacks: AttacksConfig['attacks']
  readonly spells: SpellsConfig['spells']
}

const describeUnlocks = ({ classes }: Rules) =>
  Object.fromEntries(Object.entries(classes).map(([name, one]) => [name, listUnlockedAttacks(one)]))

const onlyGranted = <T>(skills: Readonly<Record<string, T>>, granted: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(skills).filter(([id]) => granted.has(id)))

const describeClasses = ({ classes, attacks, spells }: Rules): Static<typeof ClassDetails> => {
  const levels = Object.values(classes).flatMap((one) => Object.values(one.levels))
  const grantedAttacks = new Set(levels.flatMap((level) => level.attacks.map(({ attack }) => attack)))
  const grantedSpells = new Set(levels.flatMap((level) => level.spells))
  return { classes, attackDetails: onlyGranted(attacks, grantedAttacks), spellDetails: onlyGranted(spells, grantedSpells) }
}

type Answer = { readonly text: string; readonly etag: string }

/** Answers from a cache while the configs are the same: any client may ask, and the work grows with the number of classes. */
const cacheAnswer = (describe: (rules: Rules) => unknown) => {
  const cache = new WeakMap<Rules['classes'], { readonly rules: Rules; readonly answer: Answer }>()
  return (rules: Rules): Answer => {
    const known = cache.get(rules.classes)
    if (known?.rules.attacks === rules.attacks && known.rules.spells === rules.spells) return known.answer
    const text = JSON.stringify(describe(rules))
    const answer = { text, etag: hashSecret(text).slice(0, 32) }
    cache.set(rules.classes, { rules, answer })
    return answer
  }
}

const answerUnlocks = cacheAnswer(describeUnlocks)
const answerDetails = cacheAnswer(describeClasses)

/** Lists the attacks of each class by level, or all rules of the classes. Public; caches may store the answer for a minute. */
export const listUnlocks = route({
  method: 'get',
  path: '/api/classes',
  permission: 'none',
  operationId: 'listClassUnlocks',
  hasEtag: true,
  summary: 'For each class, the levels with new skills, and all attacks that the class has at that level.',
  query: ClosedObject({
    details: Type.Optional(
      Type.Literal('true', {
        description:
          'Answers `ClassDetails` instead: ranks, spells and formulas of the classes, and costs and cooldowns of their skills.',
      }),
    ),
  }),
  responses: {
    200: Type.Union([Unlocks, ClassDetails], {
      description: '`ClassDetails` with `details=true`, else the levels of each class.',
    }),
  },
  responseHeaders: {
    'Cache-Control': Type.String({ description: '`public, max-age=60`.' }),
  },
  handle: ({ configs }, { query: { details } }) => {
    const { classes } = configs.get('classes.yaml')
    const { attacks } = configs.get('skills/attacks.yaml')
    const { spells } = configs.get('skills/spells.yaml')
    const { text, etag } = (details === undefined ? answerUnlocks : answerDetails)({ classes, attacks, spells })
    return {
      status: 200,
      body: text,
      contentType: 'application/json; charset=utf-8',
      etag,
      headers: { 'Cache-Control': 'public, max-age=60' },
    }
  },
})
