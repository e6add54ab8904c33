import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../sdk/errors.ts'
import { openBrowserSignIn } from '../../../sdk/sign-in/browser-sign-in.ts'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'
import { createHeldTimers } from '../support/fake-session.ts'

const email = 'ann@example.com'
const names = ['sessionStorage', 'localStorage', 'BroadcastChannel'] as const

type Listener = (event: { readonly data: unknown }) => void
const channels = new Set<FakeChannel>()
class FakeChannel {
  act: Listener = () => undefined
  readonly name: string
  constructor(name: string) {
    this.name = name
    channels.add(this)
  }
  addEventListener(_name: string, act: Listener): void {
    this.act = act
  }
  postMessage(data: unknown): void {
    for (const other of channels) if (other !== this && other.name === this.name) other.act({ data })
  }
  close(): void {
    channels.delete(this)
  }
}

const createStorage = () => {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    stored,
  }
}
const define = (name: (typeof names)[number], descriptor: PropertyDescriptor): void => {
  Object.defineProperty(globalThis, name, { configurable: true, ...descriptor })
}
const openTab = () => {
  const tab = createStorage()
  define('sessionStorage', { value: tab })
  return tab.stored
}

describe('the sign-in of a browser', () => {
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
  let server: ReturnType<typeof createFakeServer>
  let local: ReturnType<typeof createStorage>
  const open = (path = '') => openBrowserSignIn({ url: `${server.url}${path}`, fetch: server.fetch })
  const begin = async () => {
    const held = createHeldTimers()
    const me = await signIn({ url: server.url, email, password: 'a long password', fetch: server.fetch, timers: held.timers })
    return { me, held }
  }

  beforeEach(() => {
    server = createFakeServer({ password: 'a long password' })
    local = createStorage()
    define('localStorage', { value: local })
    define('BroadcastChannel', { value: FakeChannel })
    openTab()
  })
  afterEach(() => {
    channels.clear()
    for (const [index, name] of names.entries()) {
      const was = before[index]
      if (was === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, was)
    }
  })

  it('is resumed after a reload and in a new tab by its newest token, once it was stored', async () => {
    const { me, held } = await begin()
    expect(await open().resume()).toBeUndefined()
    const stop = open().keep(me)
    held.advance(5 * 60_000)
    await new Promise(setImmediate)
    expect([...local.stored.values()]).toEqual([me.token()])
    for (const prepare of [() => undefined, openTab]) {
      prepare()
      const resumed = await open().resume()
      expect(resumed?.playerId).toBe(me.playerId)
      resumed?.close()
    }
    stop()
    held.advance(5 * 60_000)
    await new Promise(setImmediate)
    expect([...local.stored.values()]).not.toEqual([me.token()])
    me.close()
  })

  it('tries the token of another tab after a refused one, and removes the refused one', async () => {
    const tab = openTab()
    tab.set('gatehouse.token', '00000000-0000-4000-8000-000000000000')
    const { me } = await begin()
    local.setItem('gatehouse.token', me.token())
    const resumed = await open().resume()
    expect([resumed?.playerId, tab.size]).toEqual([me.playerId, 0])
    server.forget()
    expect([await open().resume(), local.stored.size]).toEqual([undefined, 0])
    resumed?.close()
    me.close()
  })

  it('retains the token while the server is away', async () => {
    const { me } = await begin()
    open().keep(me)
    server.setAway(true)
    await expect(open().resume()).rejects.toThrow(UnreachableError)
    server.setAway(false)
    const resumed = await open().resume()
    expect(resumed?.playerId).toBe(me.playerId)
    resumed?.close()
    me.close()
  })

  it('is signed out in every tab of the same account, on the server and in storage', async () => {
    const { me } = await begin()
    const other = await signIn({ url: server.url, email: 'bob@example.com', password: 'a long password', fetch: server.fetch })
    const told: string[] = []
    open().keep(me)
    const stop = open().onSignedOut(me, () => told.push('ann'))
    open().onSignedOut(other, () => told.push('bob'))
    await open().signOut(me)
    expect([told, local.stored.size, await open().resume()]).toEqual([['ann'], 0, undefined])
    stop()
    await open().signOut(other)
    expect(told).toEqual(['ann', 'bob'])
  })

  it('is separate for each server below the same origin', async () => {
    const { me } = await begin()
    open().keep(me)
    expect(await open('/other').resume()).toBeUndefined()
    expect([...local.stored.keys()]).toEqual(['gatehouse.token'])
    me.close()
  })

  it('works without storage when the browser blocks it', async () => {
    const get = () => {
      throw new Error('SecurityError')
    }
    for (const name of ['sessionStorage', 'localStorage'] as const) define(name, { get })
    const { me } = await begin()
    open().keep(me)
    expect(await open().resume()).toBeUndefined()
    await open().signOut(me)
  })
})
