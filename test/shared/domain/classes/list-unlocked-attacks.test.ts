import { describe, expect, it } from '@jest/globals'
import { listUnlockedAttacks } from '../../../../shared/domain/classes/class-levels.ts'

const level = (...attacks: readonly string[]) => ({
  attacks: attacks.map((text) => ({ attack: text.slice(0, -1), rank: Number(text.slice(-1)) })),
  spells: [],
})

describe('the attacks of a class by level', () => {
  it('are those of the level and of all lower ones, first learnt first', () => {
    expect(listUnlockedAttacks({ levels: { 9: level('d1'), 2: level('c1', 'a1'), 30: level('b1') } })).toEqual({
      2: ['c', 'a'],
      9: ['c', 'a', 'd'],
      30: ['c', 'a', 'd', 'b'],
    })
  })

  it('are ordered by the number of the level, not by the file', () => {
    expect(Object.keys(listUnlockedAttacks({ levels: { 10: level('b1'), 9: level('a1') } }))).toEqual(['9', '10'])
    expect(listUnlockedAttacks({ levels: { 10: level('b1'), 9: level('a1') } })['10']).toEqual(['a', 'b'])
  })

  it('are listed once, with any rank', () => {
    expect(listUnlockedAttacks({ levels: { 1: level('a1'), 5: level('a2', 'b1') } })).toEqual({ 1: ['a'], 5: ['a', 'b'] })
  })

  it('are unchanged at a level that only teaches spells', () => {
    expect(listUnlockedAttacks({ levels: { 1: level('a1'), 5: { attacks: [], spells: ['ward'] } } })['5']).toEqual(['a'])
  })

  it('are empty for a class that learns nothing', () => expect(listUnlockedAttacks({ levels: {} })).toEqual({}))
})
