import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'
import { classConfigs } from '../../../../support/configs/class-configs.ts'
import { othersOf } from '../../../../support/configs/other-configs.ts'

const parsedValue = <T>(parsed: { readonly ok: true; readonly value: T } | { readonly ok: false }): T => {
  if (!parsed.ok) throw new Error('the fixture is not valid')
  return parsed.value
}
const attacks = parsedValue(catalogue['skills/attacks.yaml'].parse(classConfigs.attacks))
const spells = parsedValue(catalogue['skills/spells.yaml'].parse(classConfigs.spells))
const both = othersOf({ 'skills/attacks.yaml': attacks, 'skills/spells.yaml': spells })

const head =
  'classes:\n  it:\n    resource: MANA\n    bonuses: {str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0}\n    hpFormula: level\n    manaFormula: level\n    levels:\n'

/** Faults of a class with these lines as its levels: the line relative to the first of them, the pointer below the levels, the message. */
const faultsOf = (lines: readonly string[], others = both) => {
  const result = parseConfig(catalogue['classes.yaml'], head + lines.map((line) => `      ${line}\n`).join(''), others)
  if (result.ok) return []
  return result.faults.map(({ line = 0, pointer, message }) => [line - 7, pointer?.replace('/classes/it/levels', ''), message])
}

describe('the skills of a class', () => {
  it('can be existing attacks in existing ranks, higher ones later, and spells', () => {
    expect(
      faultsOf([
        '1: {attacks: [{attack: thrust, rank: 1}, {attack: charge, rank: 1}], spells: [ward]}',
        '9: {attacks: [{attack: thrust, rank: 2}], spells: []}',
      ]),
    ).toEqual([])
  })

  it('can begin with a higher rank', () => {
    expect(faultsOf(['1: {attacks: [{attack: thrust, rank: 2}], spells: []}'])).toEqual([])
  })

  it.each(['lunge', 'constructor'])('must not include %s, a missing attack', (id) => {
    expect(
      faultsOf(['1:', '  spells: []', '  attacks:', '    - {attack: thrust, rank: 1}', `    - {attack: ${id}, rank: 1}`]),
    ).toEqual([[5, '/1/attacks/1/attack', `"${id}" is not an attack of skills/attacks.yaml: add it there, or correct the id`]])
  })

  it.each(['thunder', 'constructor', 'thrust'])('must not include %s, a missing spell', (id) => {
    expect(faultsOf(['1:', '  attacks: []', '  spells:', '    - ward', `    - ${id}`])).toEqual([
      [5, '/1/spells/1', `"${id}" is not a spell of skills/spells.yaml: add it there, or correct the id`],
    ])
  })

  it('must not include a missing rank', () => {
    expect(faultsOf(['1: {attacks: [{attack: thrust, rank: 3}], spells: []}'])).toEqual([
      [1, '/1/attacks/0/rank', '"thrust" has no rank 3: its ranks are 1 to 2'],
    ])
  })

  it('must not include a disabled skill', () => {
    expect(
      faultsOf(['1: {attacks: [{attack: old_trick, rank: 1}], spells: []}', '2: {attacks: [], spells: [old_charm]}']),
    ).toEqual([
      [1, '/1/attacks/0/attack', expect.stringContaining('"old_trick" is disabled')],
      [2, '/2/spells/0', expect.stringContaining('"old_charm" is disabled')],
    ])
  })

  it.each([
    ['the same rank', 1],
    ['a lower rank', 2],
  ])('must not include %s again at a later level, in any order of the file', (_, first) => {
    expect(
      faultsOf([
        '10: {attacks: [{attack: thrust, rank: 1}], spells: []}',
        `9: {attacks: [{attack: thrust, rank: ${first}}], spells: []}`,
      ]),
    ).toEqual([[1, '/10/attacks/0/rank', `"thrust" has rank ${first} since level 9: grant a higher rank, or remove this`]])
  })

  it('must not include an attack twice at one level, in any ranks', () => {
    expect(faultsOf(['1: {attacks: [{attack: thrust, rank: 1}, {attack: thrust, rank: 2}], spells: []}'])).toEqual([
      [1, '/1/attacks/1/attack', expect.stringContaining('already granted at this level')],
    ])
  })

  it('must not include a spell twice, at one level or another', () => {
    expect(faultsOf(['1: {attacks: [], spells: [ward, ward]}', '2: {attacks: [], spells: [ward]}'])).toEqual([
      [1, '/1/spells/1', expect.stringContaining('already granted at level 1')],
      [2, '/2/spells/0', expect.stringContaining('already granted at level 1')],
    ])
  })

  it('are checked with every fault, not just the first', () => {
    expect(
      faultsOf(['1: {attacks: [{attack: lunge, rank: 1}, {attack: old_trick, rank: 2}], spells: [thunder]}']).map(([, at]) => at),
    ).toEqual(['/1/attacks/0/attack', '/1/attacks/1/attack', '/1/attacks/1/rank', '/1/spells/0'])
  })

  it('are checked only against skill files that are valid', () => {
    const lines = ['1: {attacks: [{attack: lunge, rank: 1}], spells: [thunder]}']
    expect(faultsOf(lines, othersOf())).toEqual([])
    expect(faultsOf(lines, othersOf({ 'skills/attacks.yaml': attacks })).map(([, at]) => at)).toEqual(['/1/attacks/0/attack'])
    expect(faultsOf(lines, othersOf({ 'skills/spells.yaml': spells })).map(([, at]) => at)).toEqual(['/1/spells/0'])
  })
})
