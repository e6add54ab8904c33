import { describe, expect, it } from '@jest/globals'
import { readPeople } from '../../../play/game/people-answer.ts'

describe('the answer to /who', () => {
  it('contains names, and the world of players elsewhere', () => {
    const players = [
      { displayName: 'ann', playerId: '1' },
      { displayName: 'bob', playerId: '2', world: 'north' },
    ]
    expect(readPeople({ players, count: 102 })).toEqual({
      people: [{ displayName: 'ann' }, { displayName: 'bob', world: 'north' }],
      count: 102,
    })
  })

  it.each([undefined, null, 'players', {}, { players: 'ann' }])('is empty for %j', (data) => {
    expect(readPeople(data)).toBeUndefined()
  })

  it('ignores entries that are not players', () => {
    expect(readPeople({ players: [null, 3, { displayName: 7 }, { displayName: 'ann' }] })).toEqual({
      people: [{ displayName: 'ann' }],
      count: 1,
    })
  })
})
