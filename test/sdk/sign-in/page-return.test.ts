import { afterEach, describe, expect, it } from '@jest/globals'
import { leaveToSignIn, takeReturnedSignIn } from '../../../sdk/sign-in/page-return.ts'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'

const assigned: string[] = []
const replaced: string[] = []

/** The parts of a page that are looked at. */
const openPage = (href: string): void => {
  const location = { href, hash: new URL(href).hash, assign: (url: string) => assigned.push(url) }
  const history = { state: 7, replaceState: (_: unknown, __: string, url: string) => replaced.push(url) }
  Object.assign(globalThis, { location, history })
}
afterEach(() => {
  for (const name of ['location', 'history']) Reflect.deleteProperty(globalThis, name)
  assigned.length = 0
  replaced.length = 0
})

describe('a page that signs in at an identity provider', () => {
  it('goes there, to come back to itself', () => {
    openPage('https://game.example.org/play?world=a#old')
    leaveToSignIn({ url: 'https://server.example.org/' })
    const back = encodeURIComponent('https://game.example.org/play?world=a')
    expect(assigned).toEqual([`https://server.example.org/auth/oauth/start?returnUrl=${back}`])
  })

  it('takes the token out of its address, and is signed in', async () => {
    const server = createFakeServer()
    const first = await signIn({ url: server.url, email: 'ann@example.com', fetch: server.fetch })
    openPage(`https://game.example.org/play?world=a#token=${first.token()}&displayName=ann&playerId=x`)
    const taken = takeReturnedSignIn({ url: server.url, fetch: server.fetch })
    expect(replaced).toEqual(['https://game.example.org/play?world=a'])
    expect((await taken)?.playerId).toBe(first.playerId)
    for (const one of [first, await taken]) one?.close()
  })

  it('is signed in by nothing when it came from elsewhere', async () => {
    openPage('https://game.example.org/play#chapter-2')
    expect(await takeReturnedSignIn({ url: 'https://server.example.org' })).toBeUndefined()
    expect(replaced).toEqual([])
  })

  it('says in Node what to use there', () => {
    expect(() => leaveToSignIn({ url: 'https://server.example.org' })).toThrow(/signInByLoopback/)
  })
})
