import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'
import { othersOf } from '../../../../support/configs/other-configs.ts'

const file = catalogue['classes.yaml']

/** Faults as line, pointer and message, of a text whose second line begins the class `it`. */
const faultsOf = (text: string, others = othersOf()) => {
  const result = parseConfig(file, text, others)
  return result.ok ? [] : result.faults.map(({ line, pointer, message }) => [line, pointer, message])
}

const ofBare = (...lines: readonly string[]) => `classes:\n  it:\n${lines.map((line) => `    ${line}\n`).join('')}`

const noBonuses = '{str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0}'

const withBonus = (str: string) => `bonuses: ${noBonuses.replace('str: 0', str)}`

/** A class with these lines below its other required keys. */
const ofClass = (...lines: readonly string[]) =>
  ofBare(
    ...lines,
    ...[`bonuses: ${noBonuses}`, 'levels: {}'].filter((line) => !lines.some((one) => one.startsWith(line.slice(0, 6)))),
  )

const plain = ['resource: MANA', 'hpFormula: 10 * level', 'manaFormula: 5 * level']

describe('classes.yaml', () => {
  it('is parsed without changes', () => {
    const levels = 'levels: {3: {attacks: [{attack: hit, rank: 1}], spells: []}, 60: {attacks: [], spells: [ward]}}'
    expect(parseConfig(file, ofClass(...plain, levels))).toEqual({
      ok: true,
      value: {
        classes: {
          it: {
            resource: 'MANA',
            bonuses: { str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0 },
            hpFormula: '10 * level',
            manaFormula: '5 * level',
            levels: { 3: { attacks: [{ attack: 'hit', rank: 1 }], spells: [] }, 60: { attacks: [], spells: ['ward'] } },
          },
        },
      },
    })
  })

  it('has no classes when it is empty', () => expect(parseConfig(file, '')).toEqual({ ok: true, value: { classes: {} } }))

  it('counts the faults beyond the hundred listed ones', () => {
    const levels = Array.from(
      { length: 30 },
      (_, at) => `${at + 1}: {attacks: [], spells: [${Array.from({ length: 40 }, (_, of) => `s${at}-${of}`)}]}`,
    )
    const one = (name: string) => ofClass(...plain, `levels: {${levels}}`).replace('classes:\n  it:', `  ${name}:`)
    const result = parseConfig(file, `classes:\n${one('many')}${one('more')}`, othersOf({ 'skills/spells.yaml': { spells: {} } }))
    expect(result.ok ? [] : result.faults.at(-1)).toEqual({ message: 'and 2300 more faults' })
  })

  it('applies on reload, and is checked against the skills', () => {
    expect(file).toMatchObject({ effect: 'reload', refersTo: ['skills/attacks.yaml', 'skills/spells.yaml'] })
  })

  it.each(['mage', 'MAGE', 'Battle-Mage_2', 'constructor'])('accepts %s as a name', (name) => {
    expect(faultsOf(ofClass(...plain).replace('it:', `${name}:`))).toEqual([])
  })

  it.each(['2nd', '_mage', '"battle mage"', '"../mage"', '__proto__', '""', 'zauberlehrlingß', 'x'.repeat(65)])(
    'does not accept %s as a name, and explains the form',
    (name) => {
      const faults = faultsOf(ofClass(...plain).replace('it:', `${name}:`))
      expect(faults).toEqual([[2, expect.stringMatching(/^\/classes\//), expect.stringContaining('letters, digits, _ and -')]])
    },
  )

  it('refuses two names that differ only in capitals, at the later one', () => {
    expect(
      faultsOf(
        `classes:\n  mage: &it {resource: MANA, bonuses: ${noBonuses}, hpFormula: level, manaFormula: level, levels: {}}\n  Mage: *it\n`,
      ),
    ).toEqual([[3, '/classes/Mage', expect.stringContaining('"mage"')]])
  })

  it.each(['0', '61', '-1', '1.5', '01', 'one', '1e1', '" 1"'])('refuses the level %s, and lists the valid ones', (level) => {
    expect(faultsOf(ofClass(...plain, 'levels:', `  ${level}: {attacks: [], spells: []}`))).toEqual([
      [7, expect.stringMatching(/^\/classes\/it\/levels\//), expect.stringContaining('1 to 60')],
    ])
  })

  it.each([
    ['empty bonuses', 'bonuses:', '/bonuses'],
    ['empty levels', 'levels:', '/levels'],
    ['an unknown resource', 'resource: ENERGY', '/resource'],
    ['a resource in small letters', 'resource: mana', '/resource'],
    ['a bonus that is not whole', withBonus('str: 1.5'), '/bonuses/str'],
    ['a bonus in quotes', withBonus('str: "1"'), '/bonuses/str'],
    ['a bonus above 100', withBonus('str: 101'), '/bonuses/str'],
    ['a bonus to an unknown attribute', withBonus('str: 0, luck: 1'), '/bonuses/luck'],
    ['a formula that is a number', 'hpFormula: 10', '/hpFormula'],
    ['an empty formula', 'hpFormula: ""', '/hpFormula'],
    ['a formula of 201 characters', `hpFormula: "${'1'.repeat(201)}"`, '/hpFormula'],
    ['an unknown key', 'colour: red', '/colour'],
    ['a rank of 0', 'levels: {1: {attacks: [{attack: hit, rank: 0}], spells: []}}', '/levels/1/attacks/0/rank'],
    ['a rank in quotes', 'levels: {1: {attacks: [{attack: hit, rank: "1"}], spells: []}}', '/levels/1/attacks/0/rank'],
    ['an attack without its key', 'levels: {1: {attacks: [hit], spells: []}}', '/levels/1/attacks/0'],
    ['an id in capitals', 'levels: {1: {attacks: [], spells: [Ward]}}', '/levels/1/spells/0'],
  ])('refuses %s', (_, line, pointer) => {
    const key = line.split(':')[0] ?? ''
    const lines = [...plain.filter((one) => !one.startsWith(`${key}:`)), line]
    expect(faultsOf(ofClass(...lines))).toEqual([[expect.any(Number), `/classes/it${pointer}`, expect.any(String)]])
  })

  it.each([
    ['a bonus to dexterity', 'bonuses: {str: 0, int: 0, wis: 0, con: 0, cha: 0}', '/bonuses/dex'],
    ['the attacks of a level', 'levels: {1: {spells: []}}', '/levels/1/attacks'],
    ['the spells of a level', 'levels: {1: {attacks: []}}', '/levels/1/spells'],
    ['the rank of an attack', 'levels: {1: {attacks: [{attack: hit}], spells: []}}', '/levels/1/attacks/0/rank'],
  ])('refuses a class without %s', (_, line, pointer) => {
    expect(faultsOf(ofClass(...plain, line))).toEqual([[expect.any(Number), `/classes/it${pointer}`, 'is required']])
  })

  it.each(['resource', 'hpFormula', 'bonuses', 'levels'])('refuses a class without %s', (key) => {
    const lines = [...plain, `bonuses: ${noBonuses}`, 'levels: {}'].filter((line) => !line.startsWith(key))
    expect(faultsOf(ofBare(...lines))).toContainEqual([expect.any(Number), `/classes/it/${key}`, 'is required'])
  })
})

describe('the formulas of a class', () => {
  it.each([
    ['MANA', 'manaFormula', 'rageFormula'],
    ['RAGE', 'rageFormula', 'manaFormula'],
  ])('must exist for %s, and for no other resource', (resource, wanted, other) => {
    const lines = [`resource: ${resource}`, 'hpFormula: level']
    expect(faultsOf(ofClass(...lines, `${wanted}: level`))).toEqual([])
    expect(faultsOf(ofClass(...lines))).toEqual([[2, `/classes/it/${wanted}`, `is required because resource is ${resource}`]])
    expect(faultsOf(ofClass(...lines, `${wanted}: level`, `${other}: level`))).toEqual([
      [6, `/classes/it/${other}`, `is not used because resource is ${resource}: remove it`],
    ])
  })

  it.each([
    ['level - 1', 'is 0 at level 1: it must be 1 or more at every level from 1 to 60'],
    ['60.5 - level', 'is 0.5 at level 60: it must be 1 or more at every level from 1 to 60'],
    ['10 + con', 'is -10 at level 1: it must be 1 or more at every level from 1 to 60'],
    ['10 / (level - 7)', 'is -1.6666666666666667 at level 1: it must be 1 or more at every level from 1 to 60'],
    ['max(10, 10 / (level - 7))', 'divides by zero at level 7'],
    ['level / (2 - 2)', 'divides by zero at level 1'],
    ['1e300 * 1e300 * level', 'is too large a number at level 1'],
    ['level / 0', 'divides by zero'],
    ['level * luck', '"luck" is not a name here: there are level, str, dex, int, wis, con, cha'],
    ['level ^ 2', '"^" is not an operator here: use + - * /'],
  ])('are refused when one reads %s', (text, message) => {
    const lines = [
      'resource: MANA',
      `hpFormula: ${text}`,
      'manaFormula: level',
      `bonuses: ${noBonuses.replace('con: 0', 'con: -20')}`,
    ]
    expect(faultsOf(ofClass(...lines))).toEqual([[4, '/classes/it/hpFormula', message]])
  })

  it('are all checked, with every fault', () => {
    const lines = ['resource: RAGE', 'hpFormula: foo + bar', 'rageFormula: level - 1']
    expect(faultsOf(ofClass(...lines)).map(([line]) => line)).toEqual([4, 4, 5])
  })
})
