import { afterEach, describe, expect, it } from '@jest/globals'
import { leaveToSignIn, takeReturnedSignIn } from '../../../sdk/sign-in/page-return.ts'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'

const assigned: string[] = []
const replaced: string[] = []
const stored = new Map<string, string>()

const sessionStorage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}

/** The parts of a page that the library reads. */
const openPage = (href: string, storage: object = sessionStorage): void => {
  const location = { href, hash: new URL(href).hash, assign: (url: string) => assigned.push(url) }
  const history = { state: 7, replaceState: (_: unknown, __: string, url: string) => replaced.push(url) }
  Object.assign(globalThis, { location, history, sessionStorage: storage })
}
afterEach(() => {
  for (const name of ['location', 'history', 'sessionStorage']) Reflect.deleteProperty(globalThis, name)
  assigned.length = 0
  replaced.length = 0
  stored.clear()
})

const page = 'https://game.example.org/play?world=a'

/** Leaves `page` to sign in; returns the return address. */
const leave = (): string => {
  openPage(`${page}#old`)
  leaveToSignIn({ url: 'https://server.example.org/' })
  return new URL(assigned[0] ?? '').searchParams.get('returnUrl') ?? ''
}

const signInAtServer = async () => {
  const server = createFakeServer()
  const first = await signIn({ url: server.url, email: 'ann@example.com', fetch: server.fetch })
  return { server, first, fragment: `#token=${first.token()}&displayName=ann&playerId=x` }
}

describe('a page that signs in at an identity provider', () => {
  it('leaves with a new mark in the return address each time', () => {
    const marked = leave()
    expect(assigned[0]).toMatch(/^https:\/\/server\.example\.org\/auth\/oauth\/start\?returnUrl=/)
    expect(marked).toMatch(/^https:\/\/game\.example\.org\/play\?world=a&gatehouse-mark=[\da-f-]{36}$/)
    assigned.length = 0
    expect(leave()).not.toBe(marked)
  })

  it('removes token and mark from its address, and is signed in', async () => {
    const { server, first, fragment } = await signInAtServer()
    openPage(leave() + fragment)
    const taken = takeReturnedSignIn({ url: server.url, fetch: server.fetch })
    expect(replaced).toEqual([page])
    expect((await taken)?.playerId).toBe(first.playerId)
    for (const one of [first, await taken]) one?.close()
  })

  it.each([
    ['without a mark', () => page, true],
    ['with a mark of another tab', () => `${page}&gatehouse-mark=${crypto.randomUUID()}`, true],
    ['with an empty mark in a tab without a sign-in', () => `${page}&gatehouse-mark=`, false],
  ])('ignores a token %s, removes it and reports it', async (_, address, hasBegun) => {
    const { server, first, fragment } = await signInAtServer()
    if (hasBegun) leave()
    openPage(address() + fragment)
    let ignored = 0
    const taken = await takeReturnedSignIn({ url: server.url, fetch: server.fetch, onIgnored: () => (ignored += 1) })
    expect({ taken, ignored, replaced }).toEqual({ taken: undefined, ignored: 1, replaced: [page] })
    first.close()
  })

  it('accepts a mark once', async () => {
    const { server, first, fragment } = await signInAtServer()
    const address = leave() + fragment
    openPage(address)
    const taken = await takeReturnedSignIn({ url: server.url, fetch: server.fetch })
    openPage(address)
    expect(await takeReturnedSignIn({ url: server.url, fetch: server.fetch })).toBeUndefined()
    for (const one of [first, taken]) one?.close()
  })

  it('is not signed in by a return that it did not start', async () => {
    openPage('https://game.example.org/play#chapter-2')
    expect(await takeReturnedSignIn({ url: 'https://server.example.org' })).toBeUndefined()
    expect(replaced).toEqual([])
  })

  it('refuses to leave for another origin, or without storage', () => {
    openPage(page)
    const leaveFor = (returnUrl?: string) => () =>
      leaveToSignIn({ url: 'https://server.example.org', ...(returnUrl && { returnUrl }) })
    expect(leaveFor('https://other.example.org/play')).toThrow(/of this origin/)
    const blocked = () => {
      throw new Error('The operation is insecure.')
    }
    openPage(page, { setItem: blocked, getItem: blocked, removeItem: blocked })
    expect(leaveFor()).toThrow(/Allow cookies/)
    expect(assigned).toEqual([])
  })

  it('names the function for Node', () => {
    expect(() => leaveToSignIn({ url: 'https://server.example.org' })).toThrow(/signInByLoopback/)
  })
})
