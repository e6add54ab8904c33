import { describe, expect, it } from '@jest/globals'
import { readQuestion } from '../../../play/state/why.ts'

describe('a question why that a server named', () => {
  it('has numbers where the route takes numbers, and leaves out what the path leaves out', () => {
    const path = '/api/admin/explain?email=a%2Bb%40example.com&permission=zone.build&world=arena&x=-3&y=64&z=0'
    expect(readQuestion(path)).toEqual({ email: 'a+b@example.com', permission: 'zone.build', world: 'arena', x: -3, y: 64, z: 0 })
    expect(readQuestion('/api/admin/explain?email=a%40example.com&permission=chat')).toEqual({
      email: 'a@example.com',
      permission: 'chat',
    })
  })

  it('is asked of no other address, whatever the path says', () => {
    expect(readQuestion('https://elsewhere.example/steal?email=a%40example.com&token=secret')).toEqual({ email: 'a@example.com' })
  })
})
