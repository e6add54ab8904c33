import { describe, expect, it } from '@jest/globals'
import { listClassChanges } from '../../../../shared/domain/classes/class-levels.ts'
import { catalogue } from '../../../../shared/domain/configs/catalogue.ts'

type Levels = Record<number, { attacks?: readonly { attack: string; rank?: number }[]; spells?: readonly string[] }>

const bonuses = { str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0 }

/** Fills in the defaults of a level: empty lists and rank 1. */
const wholeLevels = (levels: Levels) =>
  Object.fromEntries(
    Object.entries(levels).map(([level, { attacks = [], spells = [] }]) => [
      level,
      { attacks: attacks.map((grant) => ({ rank: 1, ...grant })), spells },
    ]),
  )

const parse = (classes: Record<string, Levels>) => {
  const definitions = Object.entries(classes).map(([name, levels]) => [
    name,
    { resource: 'MANA', bonuses, hpFormula: '1', manaFormula: '1', levels: wholeLevels(levels) },
  ])
  const parsed = catalogue['classes.yaml'].parse({ classes: Object.fromEntries(definitions) })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.value
}

const compare = (before: Record<string, Levels>, after: Record<string, Levels>) => listClassChanges(parse(before), parse(after))

describe('the changes of classes', () => {
  it('are empty when only the order changes', () => {
    const one = { attacks: [{ attack: 'a' }, { attack: 'b' }], spells: ['s', 't'] }
    const other = { spells: ['t', 's'], attacks: [{ attack: 'b', rank: 1 }, { attack: 'a' }] }
    expect(compare({ mage: { 1: one, 2: {} }, rogue: {} }, { rogue: {}, mage: { 1: other } })).toEqual([])
  })

  it('are listed by class and level, attacks with their rank', () => {
    expect(
      compare(
        { mage: { 10: { spells: ['s'] }, 2: { attacks: [{ attack: 'a' }] } }, cleric: {} },
        { mage: { 10: { attacks: [{ attack: 'b', rank: 3 }] }, 2: { spells: ['t'] } }, cleric: { 1: { spells: ['s'] } } },
      ),
    ).toEqual([
      { class: 'cleric', level: 1, gains: [{ spell: 's' }], loses: [] },
      { class: 'mage', level: 2, gains: [{ spell: 't' }], loses: [{ attack: 'a', rank: 1 }] },
      { class: 'mage', level: 10, gains: [{ attack: 'b', rank: 3 }], loses: [{ spell: 's' }] },
    ])
  })

  it('have the new and the old rank when a rank changes', () => {
    expect(
      compare({ mage: { 5: { attacks: [{ attack: 'a', rank: 1 }] } } }, { mage: { 5: { attacks: [{ attack: 'a', rank: 2 }] } } }),
    ).toEqual([{ class: 'mage', level: 5, gains: [{ attack: 'a', rank: 2 }], loses: [{ attack: 'a', rank: 1 }] }])
  })

  it('have both when a skill moves to another level', () => {
    expect(compare({ mage: { 5: { spells: ['s'] } } }, { mage: { 7: { spells: ['s'] } } })).toEqual([
      { class: 'mage', level: 5, gains: [], loses: [{ spell: 's' }] },
      { class: 'mage', level: 7, gains: [{ spell: 's' }], loses: [] },
    ])
  })

  it('are in the order of levels of either side', () => {
    const changes = compare(
      { mage: { 10: { spells: ['s'] }, 60: {} } },
      { mage: { 2: { spells: ['t'] }, 33: { spells: ['u'] } } },
    )
    expect(changes.map(({ level }) => level)).toEqual([2, 10, 33])
  })

  it('have everything when a class is added or removed, with any name', () => {
    const levels = { 1: { attacks: [{ attack: 'a' }], spells: ['a'] } }
    const all = [{ attack: 'a', rank: 1 }, { spell: 'a' }]
    expect(compare({ constructor: levels }, {})).toEqual([{ class: 'constructor', level: 1, gains: [], loses: all }])
    expect(compare({}, { constructor: levels })).toEqual([{ class: 'constructor', level: 1, gains: all, loses: [] }])
  })
})
