import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import { createConventionRoutes } from '../support/http/convention-routes.ts'
import { bothDoors, type OpenOptions } from './doors.ts'

const thing = { name: 'a', size: 1 }

describe.each(bothDoors)('access through %s', (_name, openDoor) => {
  const open = async (options: OpenOptions = {}) => {
    const { routes, calls } = createConventionRoutes()
    return { ...(await openDoor({ routes, ...options })), calls }
  }

  it('with a live token is access as the account of the token', async () => {
    const { get } = await open({ as: 'unverified-admin' })
    const answer = await get('/mine', { 'x-request-id': 'mine' })
    expect(answer).toMatchObject({
      status: 200,
      body: { email: 'admin@example.com', verified: false, via: 'http', requestId: 'mine' },
    })
  })

  it('without a credential answers 401 with the scheme, before it reads the body', async () => {
    const { request, calls } = await open()
    const answer = await request('POST', '/things', { rawBody: '{', headers: { 'content-type': 'text/html' } })
    expect(answer).toMatchObject({ status: 401, body: { type: '/problems/not-signed-in' } })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(calls()).toBe(0)
  })

  it.each([
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer not-a-token',
    'Bearer 00000000-0000-4000-8000-000000000000',
    'Bearer a b',
    'Token x',
    '',
    `Bearer ${'x'.repeat(5000)}`,
  ])('with %j answers 401 with the same body as any other bad token', async (authorization) => {
    const { get, calls } = await open()
    const answer = await get('/mine', { authorization })
    expect(answer).toMatchObject({ status: 401, body: { type: '/problems/invalid-token' } })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(calls()).toBe(0)
  })

  it('accepts the scheme in any letter case', async () => {
    const { get, token } = await open({ as: 'player' })
    expect((await get('/mine', { authorization: `bearer ${token}` })).status).toBe(200)
  })

  it('ends with the token', async () => {
    const { get, clock } = await open({ as: 'player' })
    clock.advance(600_000)
    expect(await get('/mine')).toMatchObject({ status: 401, body: { type: '/problems/invalid-token' } })
  })

  it('ends with the account, even if its token is still valid', async () => {
    const { get, accountStore, tokens, token } = await open({ as: 'player' })
    await accountStore.change('player@example.com', () => ({ next: undefined, result: undefined }))
    expect(await tokens.find(token ?? '')).toBeDefined()
    expect(await get('/mine')).toMatchObject({ status: 401, body: { type: '/problems/invalid-token' } })
  })

  it('without the permission answers 403 with its name, before it reads the body', async () => {
    const { request, calls } = await open({ as: 'player' })
    const answer = await request('POST', '/things', { rawBody: '{' })
    expect(answer).toMatchObject({
      status: 403,
      body: { type: '/problems/missing-permission', detail: expect.stringContaining('admin.things.write') },
    })
    expect(calls()).toBe(0)
  })

  it('links to the explanation only for callers who can read accounts', async () => {
    const { post, get, accountStore, people } = await open({ as: 'player', routes: allRoutes })
    expect((await post('/api/admin/worlds', {})).body.explain).toBeUndefined()
    await accountStore.change('player@example.com', () => ({ next: { ...people.player, groups: ['clerk'] }, result: undefined }))
    const { status, body } = await post('/api/admin/worlds', {})
    expect([status, body.explain]).toEqual([403, '/api/admin/explain?email=player%40example.com&permission=admin.worlds.write'])
    expect((await get(body.explain)).body).toMatchObject({ allowed: false, permission: 'admin.worlds.write' })
  })

  it('of an unverified administrator answers 403 and asks for a password', async () => {
    const { post, calls } = await open({ as: 'unverified-admin' })
    expect(await post('/things', thing)).toMatchObject({ status: 403, body: { type: '/problems/password-sign-in-needed' } })
    expect(calls()).toBe(0)
  })

  it('of a verified administrator is granted', async () => {
    const { post } = await open({ as: 'admin' })
    expect(await post('/things', thing)).toMatchObject({ status: 200, body: thing })
  })

  it('follows a change of groups at the next request', async () => {
    const { post, accountStore, people } = await open({ as: 'player' })
    expect((await post('/things', thing)).status).toBe(403)
    await accountStore.change('player@example.com', () => ({ next: { ...people.player, groups: ['admin'] }, result: undefined }))
    expect((await post('/things', thing)).status).toBe(200)
  })

  it('needs no credential for public routes, and ignores a given one', async () => {
    const { get } = await open()
    expect((await get('/open', { authorization: 'Bearer nonsense' })).status).toBe(200)
  })
})

describe.each(bothDoors)('the limit of requests through %s', (_name, openDoor) => {
  const open = (perMinute: number) =>
    openDoor({
      as: 'player',
      routes: createConventionRoutes().routes,
      configs: { server: { http: { rateLimits: { requestsPerMinutePerToken: perMinute } } } },
    })

  it('answers 429 with Retry-After, for that token only', async () => {
    const { get, issueToken } = await open(3)
    for (let turn = 0; turn < 3; turn++) expect((await get('/mine')).status).toBe(200)
    const answer = await get('/mine')
    expect(answer).toMatchObject({ status: 429, body: { type: '/problems/too-many-requests' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await get('/mine', { authorization: `Bearer ${await issueToken('player')}` })).status).toBe(200)
    expect((await get('/open')).status).toBe(200)
  })

  it('cannot be bypassed by a forged X-Forwarded-For', async () => {
    const { get } = await open(1)
    await get('/mine')
    expect((await get('/mine', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(429)
  })

  it('follows the active config', async () => {
    const { get, configs } = await open(1)
    await get('/mine')
    expect((await get('/mine')).status).toBe(429)
    configs.set({ server: { http: { rateLimits: { requestsPerMinutePerToken: 100 } } } })
    expect((await get('/mine')).status).toBe(200)
  })
})

describe.each(bothDoors)("the client's address through %s", (_name, openDoor) => {
  const ask = async (trustedProxies: number, forwarded?: string) => {
    const { get } = await openDoor({
      routes: createConventionRoutes().routes,
      configs: { server: { http: { trustedProxies } } },
    })
    return (await get('/open', forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })).body.address
  }

  it.each([
    [0, undefined, '127.0.0.1'],
    [0, '203.0.113.7', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [2, '198.51.100.1,192.0.2.9 , 203.0.113.7', '192.0.2.9'],
    [2, '203.0.113.7', '203.0.113.7'],
    [1, '203.0.113.7:4711', '203.0.113.7'],
    [1, '[2001:db8::1]:4711', '2001:db8::1'],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, '::ffff:203.0.113.7', '203.0.113.7'],
    [1, 'unknown', '127.0.0.1'],
    [1, '999.1.1.1', '127.0.0.1'],
    [1, ',', '127.0.0.1'],
  ])('with %i trusted hops and %j is %s', async (trustedProxies, forwarded, expected) => {
    expect(await ask(trustedProxies, forwarded)).toBe(expected)
  })

  it('follows the active config', async () => {
    const { get, configs } = await openDoor({ routes: createConventionRoutes().routes })
    const address = async () => (await get('/open', { 'x-forwarded-for': '203.0.113.7' })).body.address
    expect(await address()).toBe('127.0.0.1')
    configs.set({ server: { http: { trustedProxies: 1 } } })
    expect(await address()).toBe('203.0.113.7')
  })
})
