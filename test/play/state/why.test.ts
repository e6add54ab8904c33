import { describe, expect, it } from '@jest/globals'
import { readQuestion } from '../../../play/state/why.ts'

describe('a link to /why from the server', () => {
  it('has numbers for numeric parameters, and leaves out optional ones', () => {
    const path = '/api/admin/explain?email=a%2Bb%40example.com&permission=zone.build&world=arena&x=-3&y=64&z=0'
    expect(readQuestion(path)).toEqual({ email: 'a+b@example.com', permission: 'zone.build', world: 'arena', x: -3, y: 64, z: 0 })
    expect(readQuestion('/api/admin/explain?email=a%40example.com&permission=chat')).toEqual({
      email: 'a@example.com',
      permission: 'chat',
    })
  })

  it('requests no other address, whatever its path', () => {
    expect(readQuestion('https://elsewhere.example/steal?email=a%40example.com&token=secret')).toEqual({ email: 'a@example.com' })
  })
})
