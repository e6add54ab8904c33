import { findOwn, listLevels } from '../../classes/class-levels.ts'
import type { Fault } from '../../kernel/errors.ts'
import type { AttacksConfig } from './attacks-config.ts'
import type { ClassDefinition } from './classes-config.ts'
import type { SpellsConfig } from './spells-config.ts'

type Attacks = AttacksConfig['attacks']
type Spells = SpellsConfig['spells']

/** The skills that there are; undefined where their file is broken or not read yet, and its rules do not apply. */
export type KnownSkills = { readonly attacks: Attacks | undefined; readonly spells: Spells | undefined }

type Grant = { readonly attack: string; readonly rank: number }

const findAttackFaults = ({ attack, rank }: Grant, attacks: Attacks, at: string): Fault[] => {
  const known = findOwn(attacks, attack)
  if (known === undefined)
    return [
      {
        pointer: `${at}/attack`,
        message: `"${attack}" is not an attack of skills/attacks.yaml: add it there, or correct the id`,
      },
    ]
  const ranks = Object.keys(known.ranks).length
  return [
    ...(known.enabled
      ? []
      : [
          {
            pointer: `${at}/attack`,
            message: `"${attack}" is switched off in skills/attacks.yaml: switch it on, or take it away here`,
          },
        ]),
    ...(Object.hasOwn(known.ranks, String(rank))
      ? []
      : [{ pointer: `${at}/rank`, message: `"${attack}" has no rank ${rank}: its ranks are 1 to ${ranks}` }]),
  ]
}

const findSpellFaults = (spell: string, spells: Spells, pointer: string): Fault[] => {
  const known = findOwn(spells, spell)
  if (known === undefined)
    return [{ pointer, message: `"${spell}" is not a spell of skills/spells.yaml: add it there, or correct the id` }]
  if (known.enabled) return []
  return [{ pointer, message: `"${spell}" is switched off in skills/spells.yaml: switch it on, or take it away here` }]
}

/** Grants that bring nothing new: an attack at no higher rank than before, a spell again. */
const createRepetitionCheck = () => {
  const ranks = new Map<string, Grant & { readonly level: number }>()
  const spellLevels = new Map<string, number>()
  return {
    findOfAttack: ({ attack, rank }: Grant, level: number, at: string): Fault[] => {
      const before = ranks.get(attack)
      if (before !== undefined && before.level === level)
        return [{ pointer: `${at}/attack`, message: `"${attack}" is there already at this level: keep one of the two` }]
      if (before !== undefined && before.rank >= rank)
        return [
          {
            pointer: `${at}/rank`,
            message: `"${attack}" has rank ${before.rank} since level ${before.level}: grant a higher one, or take this away`,
          },
        ]
      ranks.set(attack, { attack, rank, level })
      return []
    },
    findOfSpell: (spell: string, level: number, pointer: string): Fault[] => {
      const before = spellLevels.get(spell)
      if (before !== undefined)
        return [{ pointer, message: `"${spell}" is granted at level ${before} already: take one of the two away` }]
      spellLevels.set(spell, level)
      return []
    },
  }
}

/** Faults in what the class at the JSON Pointer `at` learns: skills that are absent or off, absent ranks, grants that bring nothing new. */
export const findClassGrantFaults = (definition: ClassDefinition, at: string, { attacks, spells }: KnownSkills): Fault[] => {
  const repetitions = createRepetitionCheck()
  return listLevels(definition).flatMap((learned) => {
    const here = `${at}/levels/${learned.level}`
    const ofAttacks = learned.attacks.flatMap((grant, index) => {
      const pointer = `${here}/attacks/${index}`
      const known = attacks === undefined ? [] : findAttackFaults(grant, attacks, pointer)
      return [...known, ...repetitions.findOfAttack(grant, learned.level, pointer)]
    })
    const ofSpells = learned.spells.flatMap((spell, index) => {
      const pointer = `${here}/spells/${index}`
      const known = spells === undefined ? [] : findSpellFaults(spell, spells, pointer)
      return [...known, ...repetitions.findOfSpell(spell, learned.level, pointer)]
    })
    return [...ofAttacks, ...ofSpells]
  })
}
