import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { evaluateFormula, parseFormula } from '../../../shared/rules/formula.ts'

const values = { level: 10, str: 1, dex: 2, int: 3, wis: 4, con: 5, cha: -6 }

const evaluate = (text: string) => {
  const parsed = parseFormula(text)
  if (!parsed.ok) throw new Error(parsed.messages.join('; '))
  return evaluateFormula(parsed.formula, values)
}

const messagesOf = (text: string) => {
  const parsed = parseFormula(text)
  return parsed.ok ? [] : parsed.messages
}

describe('a formula', () => {
  it.each([
    ['42', 42],
    ['.5', 0.5],
    ['1e2', 100],
    ['level', 10],
    ['str + dex + int + wis + con + cha', 9],
    ['2 + 3 * level', 32],
    ['(2 + 3) * level', 50],
    ['level - 3 - 2', 5],
    ['level / 4', 2.5],
    ['100 / level / 5', 2],
    ['-level + +20', 10],
    ['level - -cha', 4],
    ['min(level, 7, 9)', 7],
    ['max(cha, 0)', 0],
    ['floor(level / 4) + ceil(level / 4) + round(2.4)', 7],
    [' level\n* 2 ', 20],
  ])('%j evaluates to %d', (text, result) => expect(evaluate(text)).toBe(result))

  it.each([
    ['level % 2', '"%" is not an operator here: use + - * /'],
    ['level ** 2', '"**" is not an operator here: use + - * /'],
    ['level > 2', '">" is not an operator here: use + - * /'],
    ['!level', '"!" is not an operator here: use + - * /'],
    ['lvl * 2', '"lvl" is not a name here: there are level, str, dex, int, wis, con, cha'],
    ['LEVEL', '"LEVEL" is not a name here: there are level, str, dex, int, wis, con, cha'],
    ['sqrt(level)', '"sqrt" is not a function here: there are min, max, floor, ceil, round'],
    ['constructor(level)', '"constructor" is not a function here: there are min, max, floor, ceil, round'],
    ['level.constructor(1)', 'that is not a function here: there are min, max, floor, ceil, round'],
    ['min?.(1, 2)', '"min" is not a function here: there are min, max, floor, ceil, round'],
    ['min(1)', '"min" takes two values or more'],
    ['floor(1, 2)', '"floor" takes one value'],
    ['round()', '"round" takes one value'],
    ['level / 0', 'divides by zero'],
    ['level / -0.0', 'divides by zero'],
    ['1e999', '1e999 is too large a number'],
    ['max(level con)', 'a comma or an operator is missing in it'],
    ['x'.repeat(201), 'is longer than 200 characters'],
  ])('%j is refused with the reason', (text, message) => expect(messagesOf(text)).toEqual([message]))

  it.each([
    '',
    ' ',
    '()',
    '1 2',
    '2(3)',
    'a, b',
    '(1, 2)',
    'level.x',
    '[1]',
    '[,]',
    '"1"',
    'true',
    'null',
    'this',
    'level;1',
    'a ? 1 : 2',
  ])('%j is refused, as it is not plain arithmetic', (text) => expect(messagesOf(text).length).toBeGreaterThan(0))

  it.each(['1 +', '(1', '1)', 'min(,1)', 'min(1,)', '0x10', '1.2.3', '1_000', '#', 'level =', '`1`', '"'])(
    '%j is refused, as it cannot be parsed',
    (text) => expect(messagesOf(text)).toEqual([expect.stringMatching(/^is not (a formula|one piece)/)]),
  )

  it('is refused with all of its faults at once', () => {
    expect(messagesOf('foo(1) + bar + level % 2 + bar')).toHaveLength(3)
  })

  it('has no value when it divides by zero, in any expression', () => {
    expect(evaluate('min(1, 1 / (level - 10))')).toBeNaN()
    expect(evaluate('max(1, 0 / (level - 10))')).toBeNaN()
  })

  it('never crashes the parser, whatever the text', () => {
    const piece = fc.constantFrom(...'level str min( max( floor( ) ( , + - * / . 1 20 0 e [ ] ? : ; " % == `'.split(' '))
    const text = fc.oneof(
      fc.string({ maxLength: 220 }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (one) => {
        const parsed = parseFormula(one)
        if (parsed.ok) expect(typeof evaluateFormula(parsed.formula, values)).toBe('number')
        else expect(parsed.messages.length).toBeGreaterThan(0)
      }),
    )
  })

  it('can be as deep as its length allows', () => {
    expect(evaluate(`${'('.repeat(97)}level${')'.repeat(97)}`)).toBe(10)
    expect(evaluate(`${'-'.repeat(194)}level`)).toBe(10)
  })
})
