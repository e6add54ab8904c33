import { describe, expect, it } from '@jest/globals'
import { listUnlockedAttacks } from '../../../../shared/domain/classes/list-unlocked-attacks.ts'

const level = (...attacks: readonly string[]) => ({
  attacks: attacks.map((text) => ({ attack: text.slice(0, -1), rank: Number(text.slice(-1)) })),
  spells: [],
})

describe('the attacks of a class by level', () => {
  it('are those of the level and of all below it, the first learnt first', () => {
    expect(listUnlockedAttacks({ levels: { 9: level('d1'), 2: level('c1', 'a1'), 30: level('b1') } })).toEqual({
      2: ['c', 'a'],
      9: ['c', 'a', 'd'],
      30: ['c', 'a', 'd', 'b'],
    })
  })

  it('go by the number of the level, whatever the order of the file', () => {
    expect(Object.keys(listUnlockedAttacks({ levels: { 10: level('b1'), 9: level('a1') } }))).toEqual(['9', '10'])
    expect(listUnlockedAttacks({ levels: { 10: level('b1'), 9: level('a1') } })['10']).toEqual(['a', 'b'])
  })

  it('stand there once, in whatever rank', () => {
    expect(listUnlockedAttacks({ levels: { 1: level('a1'), 5: level('a2', 'b1') } })).toEqual({ 1: ['a'], 5: ['a', 'b'] })
  })

  it('are the same as before at a level that teaches spells alone', () => {
    expect(listUnlockedAttacks({ levels: { 1: level('a1'), 5: { attacks: [], spells: ['ward'] } } })['5']).toEqual(['a'])
  })

  it('are none for a class that learns nothing', () => expect(listUnlockedAttacks({ levels: {} })).toEqual({}))
})
