import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'

const file = catalogue['skills/attacks.yaml']

const faultsOf = (text: string) => {
  const result = parseConfig(file, text)
  return result.ok ? [] : result.faults.map(({ line, pointer, message }) => [line, pointer, message])
}

const ofAttack = (...lines: readonly string[]) =>
  `attacks:\n  hit:\n    damageType: blunt\n    enabled: true\n${lines.map((line) => `    ${line}\n`).join('')}`
const rest = ['cost: 0', 'cooldownMs: 0']
/** A rank with these keys and all other required keys. */
const ofRank = (rank: string) =>
  ofAttack('ranks:', `  1: {${[rank, ...rest.filter((one) => !rank.includes(one.split(':')[0] ?? ''))].join(', ')}}`)

describe('skills/attacks.yaml', () => {
  it.each(['damageType', 'enabled', 'ranks'])('refuses an attack without %s', (key) => {
    const keys = { damageType: 'blunt', enabled: true, ranks: { 1: { power: 1, dice: '1d6', cost: 0, cooldownMs: 0 } } }
    const attack = Object.fromEntries(Object.entries(keys).filter(([name]) => name !== key))
    expect(faultsOf(JSON.stringify({ attacks: { hit: attack } }))).toEqual([[1, `/attacks/hit/${key}`, 'is required']])
  })

  it.each(['power', 'dice', 'cost', 'cooldownMs'])('refuses a rank without %s', (key) => {
    const keys = { power: 1, dice: '1d6', cost: 0, cooldownMs: 0 }
    const rank = Object.fromEntries(Object.entries(keys).filter(([name]) => name !== key))
    expect(faultsOf(ofAttack('ranks:', `  1: ${JSON.stringify(rank)}`))).toEqual([
      [6, `/attacks/hit/ranks/1/${key}`, 'is required'],
    ])
  })

  it('has no attacks when it is empty', () => expect(parseConfig(file, '')).toEqual({ ok: true, value: { attacks: {} } }))

  it('applies on reload', () => expect(file.effect).toBe('reload'))

  it.each(['1d2', '2d6+3', '2d6-3', '99d100+9999', '3d10+0', '1d20'])('accepts %s as dice', (dice) => {
    expect(faultsOf(ofRank(`power: 1, dice: ${dice}`))).toEqual([])
  })

  it.each([
    'd6',
    '0d6',
    '2d',
    '2d1',
    '2d0',
    '2d06',
    '2d101',
    '100d6',
    '2D6',
    '2d6+',
    '2d6+03',
    '2d6+10000',
    '2d6*2',
    '"2d6 +3"',
    '2d6+1d4',
    '6',
  ])('does not accept %s as dice', (dice) =>
    expect(faultsOf(ofRank(`power: 1, dice: ${dice}`))).toEqual([[6, '/attacks/hit/ranks/1/dice', expect.any(String)]]),
  )

  it('explains the form of dice', () => {
    expect(faultsOf(ofRank('power: 1, dice: many'))).toEqual([[6, expect.any(String), expect.stringContaining('`2d6+3`')]])
  })

  it.each([
    ['a negative power', 'power: -1, dice: 1d6', 'power'],
    ['no power', 'dice: 1d6', 'power'],
    ['no dice', 'power: 1', 'dice'],
    ['a power in quotes', 'power: "1", dice: 1d6', 'power'],
    ['a negative cost', 'power: 1, dice: 1d6, cost: -1', 'cost'],
    ['half a point of cost', 'power: 1, dice: 1d6, cost: 0.5', 'cost'],
    ['a cooldown of more than an hour', 'power: 1, dice: 1d6, cooldownMs: 3600001', 'cooldownMs'],
    ['an unknown key', 'power: 1, dice: 1d6, cooldown: 1', 'cooldown'],
  ])('refuses %s', (_, rank, key) => {
    expect(faultsOf(ofRank(rank))).toEqual([[6, `/attacks/hit/ranks/1/${key}`, expect.any(String)]])
  })

  it.each(['Hit', 'a b', '1hit', '__proto__', 'a/b', 'x'.repeat(65)])(
    'does not accept %s as an id, and explains the form',
    (id) => {
      const text = ofRank('power: 1, dice: 1d6').replace('hit:', `${id}:`)
      expect(faultsOf(text)).toEqual([[2, expect.stringMatching(/^\/attacks\//), expect.stringContaining('lower-case letters')]])
    },
  )

  it.each(['0', '-1', '1.5', '01', '100', 'first'])('does not accept %s as a rank', (rank) => {
    const text = ofAttack(
      'ranks:',
      '  1: {power: 1, dice: 1d6, cost: 0, cooldownMs: 0}',
      `  ${rank}: {power: 1, dice: 1d6, cost: 0, cooldownMs: 0}`,
    )
    expect(faultsOf(text)).toEqual([[7, `/attacks/hit/ranks/${rank}`, expect.stringContaining('without gaps')]])
  })

  it('refuses gaps in ranks, at each rank after a gap, in any order', () => {
    const ranks = [7, 2, 4, 3].map((rank) => `  ${rank}: {power: 1, dice: 1d6, cost: 0, cooldownMs: 0}`)
    expect(faultsOf(ofAttack('ranks:', ...ranks)).map(([line, pointer]) => [line, pointer])).toEqual([
      [6, '/attacks/hit/ranks/7'],
      [7, '/attacks/hit/ranks/2'],
    ])
  })

  it('refuses an attack without ranks', () => {
    expect(faultsOf(ofAttack())).toEqual([[2, '/attacks/hit/ranks', 'is required']])
    expect(faultsOf(ofAttack('ranks: {}'))).toEqual([[5, '/attacks/hit/ranks', expect.any(String)]])
  })
})
