import { describe, expect, it } from '@jest/globals'
import { parseDice, rollDice } from '../../../shared/rules/dice.ts'

describe('dice', () => {
  it.each([
    ['2d6+3', { count: 2, sides: 6, plus: 3 }],
    ['1d100', { count: 1, sides: 100, plus: 0 }],
    ['99d20-9999', { count: 99, sides: 20, plus: -9999 }],
  ])('are parsed: %s', (text, dice) => {
    expect(parseDice(text)).toEqual(dice)
  })

  it.each(['', 'd6', '0d6', '2d1', '2d101', '100d6', '2d6+', '2d6+3 ', '2d6*2', '2d6+10000'])('are refused: "%s"', (text) => {
    expect(parseDice(text)).toBeUndefined()
  })

  it('sum the dice and the addition', () => {
    expect(rollDice({ count: 2, sides: 6, plus: 3 }, () => 0)).toBe(5)
    expect(rollDice({ count: 2, sides: 6, plus: -3 }, () => 0.999)).toBe(9)
  })
})
