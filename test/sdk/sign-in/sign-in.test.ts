import { describe, expect, it } from '@jest/globals'
import { NotGatehouseError, ProblemError, UnreachableError } from '../../../sdk/errors.ts'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'
import { createHeldTimers } from '../support/fake-session.ts'

const email = 'ann@example.com'
const minute = 60_000

const begin = async (
  options: { readonly password?: string; readonly displayName?: string; readonly remember?: boolean } = {},
) => {
  const server = createFakeServer(options)
  const held = createHeldTimers()
  const asked: string[] = []
  const fetch: typeof server.fetch = (url, init) => {
    asked.push(new URL(url).pathname)
    return server.fetch(url, init)
  }
  const me = await signIn({ url: server.url, email, fetch, timers: held.timers, ...options })
  /** Lets answers arrive. */
  const settle = () => new Promise(setImmediate)
  return { server, held, asked, me, settle, fetch }
}

describe('a sign-in', () => {
  it('knows the account, and renews the token at half of its life, repeatedly', async () => {
    const { held, asked, me, settle } = await begin()
    const first = me.token()
    expect(me.displayName).toBe('ann')
    held.advance(5 * minute - 1)
    expect(asked).toEqual(['/auth/login'])
    held.advance(1)
    await settle()
    expect(asked).toEqual(['/auth/login', '/auth/renew'])
    expect(me.token()).not.toBe(first)
    held.advance(5 * minute)
    await settle()
    expect(asked).toHaveLength(3)
    me.close()
    expect(held.waits()).toEqual([])
  })

  it('is repeated with email and password when the server has lost it', async () => {
    const { server, held, asked, me, settle } = await begin({ password: 'a long password' })
    server.forget()
    held.advance(5 * minute)
    await settle()
    expect(asked).toEqual(['/auth/login', '/auth/renew', '/auth/login'])
    me.close()
  })

  it('sends a display name at the first visit only', async () => {
    const { server, held, me, settle } = await begin({ displayName: 'Ann Lee' })
    expect(me.displayName).toBe('Ann Lee')
    const bodies: unknown[] = []
    const { fetch } = server
    Object.assign(server, {
      fetch: (...args: Parameters<typeof fetch>) => {
        if (args[1]?.body !== undefined) bodies.push(JSON.parse(String(args[1].body)))
        return fetch(...args)
      },
    })
    server.forget()
    held.advance(5 * minute)
    await settle()
    expect(bodies).toEqual([{ email, password: '' }])
    me.close()
  })

  it.each([
    ['true with the password', { password: 'a long password' }, true],
    ['false without one', {}, false],
  ])('has verified %s, and undefined when it began with a token', async (_what, options, verified) => {
    const { server, me } = await begin(options)
    expect(me.verified).toBe(verified)
    const resumed = await signIn({ url: server.url, token: me.token(), fetch: server.fetch })
    expect(resumed.verified).toBeUndefined()
    me.close()
    resumed.close()
  })

  it('does not store the password if told not to', async () => {
    const { server, me } = await begin({ password: 'a long password', remember: false })
    server.forget()
    await expect(me.renew()).rejects.toMatchObject({ type: 'sign-in-over' })
    me.close()
  })

  it('retries every 20 s while the server is away, and has a token again afterwards', async () => {
    const { server, held, me, settle } = await begin()
    const first = me.token()
    server.setAway(true)
    held.advance(5 * minute)
    await settle()
    expect(held.waits()).toEqual([20_000])
    server.setAway(false)
    held.advance(20_000)
    await settle()
    expect(me.token()).not.toBe(first)
    me.close()
  })

  it('retries after an answer that was cut, or came from another program', async () => {
    const { server, held, me, settle } = await begin()
    const first = me.token()
    const { fetch } = server
    Object.assign(server, { fetch: async () => new Response('<html>Sign in to this network') })
    held.advance(5 * minute)
    await settle()
    expect(me.token()).toBe(first)
    Object.assign(server, { fetch })
    held.advance(20_000)
    await settle()
    expect(me.token()).not.toBe(first)
    me.close()
  })

  it('shares one renewal between concurrent callers', async () => {
    const { asked, me } = await begin()
    const [one, other] = await Promise.all([me.renew(), me.renew()])
    expect(one).toBe(other)
    expect(asked).toEqual(['/auth/login', '/auth/renew'])
    me.close()
  })

  it('continues with a token of an earlier one', async () => {
    const { server, me } = await begin()
    const same = await signIn({ url: server.url, token: me.token(), fetch: server.fetch })
    expect(same.playerId).toBe(me.playerId)
    expect(same.token()).not.toBe(me.token())
    for (const one of [me, same]) one.close()
  })

  it('keeps an API token, and ends when the server no longer accepts it', async () => {
    const { server, held, asked, me, fetch, settle } = await begin()
    const headers = { Authorization: `Bearer ${me.token()}` }
    const created = await server.fetch(`${server.url}/auth/tokens`, { method: 'POST', headers })
    const { token }: { readonly token: string } = JSON.parse(await created.text())
    const bot = await signIn({ url: server.url, token, fetch, timers: held.timers })
    const renewed: string[] = []
    bot.onRenewed((next) => renewed.push(next))
    expect(bot).toMatchObject({ playerId: me.playerId, displayName: 'ann', verified: true })
    me.close()
    held.advance(60 * minute)
    await settle()
    expect([await bot.renew(), bot.token(), renewed]).toEqual([token, token, []])
    expect(asked).not.toContain('/auth/renew')
    server.forget()
    await expect(bot.renew()).rejects.toMatchObject({
      type: 'sign-in-over',
      message: expect.stringContaining('API token has ended'),
    })
    await expect(signIn({ url: server.url, token, fetch })).rejects.toMatchObject({ type: '/problems/invalid-token' })
    bot.close()
  })

  it('explains that an API token has no sign-out, and sends no request', async () => {
    const { server, held, asked, me, fetch } = await begin()
    const headers = { Authorization: `Bearer ${me.token()}` }
    const created = await server.fetch(`${server.url}/auth/tokens`, { method: 'POST', headers })
    const { token }: { readonly token: string } = JSON.parse(await created.text())
    const bot = await signIn({ url: server.url, token, fetch, timers: held.timers })
    await expect(bot.signOut()).rejects.toMatchObject({ code: 'api-token', message: expect.stringContaining('close()') })
    expect(asked).not.toContain('/auth/logout')
    me.close()
  })

  it('rejects a renewal after close', async () => {
    const { me } = await begin()
    me.close()
    await expect(me.renew()).rejects.toMatchObject({ type: 'sign-in-closed' })
  })

  it('ends everywhere', async () => {
    const { held, asked, me, settle } = await begin()
    await me.signOut()
    held.advance(60 * minute)
    await settle()
    expect(asked).toEqual(['/auth/login', '/auth/logout'])
  })
})

describe('a failed sign-in', () => {
  const { url, fetch } = createFakeServer({ password: 'a long password' })
  const answers =
    (body: string, status = 200) =>
    async () =>
      new Response(body, { status })
  const fails = (code: string) => async () => {
    throw new TypeError('fetch failed', { cause: { code } })
  }

  it.each([
    ['a wrong password', { fetch }, ProblemError, { type: '/problems/invalid-credentials' }],
    ['an invalid address', { url: 'nonsense' }, Error, { type: 'invalid-address' }],
    ['an address of another protocol', { url: 'ftp://example.org' }, Error, { type: 'invalid-address' }],
    ['an address with a password', { url: 'https://me:secret@example.org' }, Error, { type: 'invalid-address' }],
    ['a page of another server', { fetch: answers('<html>') }, NotGatehouseError, { type: 'not-gatehouse' }],
    ['JSON of another server', { fetch: answers('{"hello":1}') }, NotGatehouseError, { type: 'not-gatehouse' }],
    ['an error of another server', { fetch: answers('oops', 502) }, NotGatehouseError, { type: 'not-gatehouse' }],
    ['a closed port', { fetch: fails('ECONNREFUSED') }, UnreachableError, { failure: 'refused' }],
    ['an unknown host', { fetch: fails('ENOTFOUND') }, UnreachableError, { failure: 'unknown-host' }],
    ['an untrusted certificate', { fetch: fails('DEPTH_ZERO_SELF_SIGNED_CERT') }, UnreachableError, { failure: 'tls' }],
    ['a browser that hides the reason', { fetch: fails('') }, UnreachableError, { failure: 'network' }],
  ])('throws the problem for %s', async (_, options, kind, facts) => {
    const failure = await signIn({ url, email, fetch, ...options }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(kind)
    expect(failure).toMatchObject(facts)
    expect(String(failure)).not.toContain('secret')
  })

  it('rejects with the reason of its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(signIn({ url, email, fetch, signal })).rejects.toThrow('enough')
  })
})
