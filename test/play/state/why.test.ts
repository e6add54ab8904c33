import { describe, expect, it } from '@jest/globals'
import { readWhy } from '../../../play/state/why.ts'

/** The address that the page requests for a path from the server. */
const addressFor = async (path: string): Promise<URL> => {
  let asked = new URL('http://none')
  const fetch = (input: unknown) => {
    asked = new URL(String(input))
    return Promise.resolve(Response.json({}))
  }
  await readWhy({ url: 'https://play.example.org', token: () => 'secret', fetch }, path)
  return asked
}

describe('a link to /why from the server', () => {
  it('is requested with its parameters, and without the optional ones that it lacks', async () => {
    const path = '/api/admin/explain?email=a%2Bb%40example.com&permission=zone.build&world=arena&x=-3&y=64&z=0&type=stone'
    expect(Object.fromEntries((await addressFor(path)).searchParams)).toEqual({
      email: 'a+b@example.com',
      permission: 'zone.build',
      world: 'arena',
      x: '-3',
      y: '64',
      z: '0',
      type: 'stone',
    })
    const short = await addressFor('/api/admin/explain?email=a%40example.com&permission=chat')
    expect(Object.fromEntries(short.searchParams)).toEqual({ email: 'a@example.com', permission: 'chat' })
  })

  it('requests no other address, whatever its path', async () => {
    const asked = await addressFor('https://elsewhere.example/steal?email=a%40example.com&token=secret')
    expect(asked.href).toBe('https://play.example.org/api/admin/explain?email=a%40example.com')
  })
})
