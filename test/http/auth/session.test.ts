import { describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { knownPermissions } from '../../../shared/domain/permissions/known-permissions.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { doors } from '../doors.ts'

const routes = authRoutes
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const dead = { status: 401, body: { type: '/problems/invalid-token' } }

describe.each(doors)('the routes of a token through %s', (_name, open) => {
  const calls = [
    ['GET', '/auth/me'],
    ['GET', '/auth/permissions'],
    ['POST', '/auth/renew'],
    ['POST', '/auth/logout'],
  ] as const

  it.each(calls)('%s %s answers 401 without a token, with a bad one and with an expired one', async (method, path) => {
    const { request, issueToken, clock } = await open({ routes })
    const none = await request(method, path)
    expect(none).toMatchObject({ status: 401, body: { type: '/problems/not-signed-in' } })
    expect(none.headers['www-authenticate']).toBe('Bearer')
    for (const authorization of ['Bearer x', 'Bearer ', 'Basic dTpw', `Bearer ${'0'.repeat(300)}`])
      expect(await request(method, path, { headers: { authorization } })).toMatchObject(dead)
    const token = (await issueToken('player')) ?? ''
    clock.advance(600_000)
    expect(await request(method, path, { headers: bearer(token) })).toMatchObject(dead)
  })

  it('share one limit, however often the token is renewed', async () => {
    const { post, get } = await open({
      routes,
      as: 'player',
      configs: { server: { http: { rateLimits: { requestsPerMinutePerToken: 2 } } } },
    })
    const { token } = (await post('/auth/renew', undefined)).body
    expect((await get('/auth/me', bearer(token))).status).toBe(200)
    expect(await post('/auth/renew', undefined, bearer(token))).toMatchObject({
      status: 429,
      body: { type: '/problems/too-many-requests' },
    })
  })

  it.each(calls)('%s %s answers 401 once the account is deleted', async (method, path) => {
    const { request, accountStore } = await open({ routes, as: 'player' })
    await accountStore.change('player@example.com', () => ({ next: undefined, result: undefined }))
    expect(await request(method, path)).toMatchObject(dead)
  })

  it.each(calls)('%s %s answers 503 when tokens cannot be checked, and nothing else', async (method, path) => {
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The token store is away.'))
    const { request, deps, issueToken } = await open({ routes })
    const token = (await issueToken('player')) ?? ''
    const closed = await open({ routes, deps: { tokens: { ...deps.tokens, find: away } } })
    const answer = await closed.request(method, path, { headers: bearer(token) })
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/service-unavailable' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await request(method, path, { headers: bearer(token) })).status).toBeLessThan(300)
  })

  it('GET /auth/me answers the account with its current name', async () => {
    const { get, people, accountStore } = await open({ routes, as: 'player' })
    const { player } = people
    expect(await get('/auth/me')).toMatchObject({ status: 200, body: { playerId: player.playerId, displayName: 'player' } })
    const renamed = { ...player, displayName: 'Ann' }
    await accountStore.change(player.email, () => ({ next: renamed, result: undefined }))
    expect((await get('/auth/me')).body).toEqual({
      playerId: player.playerId,
      displayName: 'Ann',
      verified: true,
      groups: ['player'],
    })
  })

  it('GET /auth/permissions lists admin permissions, and those that need a verified sign-in', async () => {
    const { body: all } = await (await open({ routes, as: 'admin' })).get('/auth/permissions')
    expect(all).toMatchObject({ email: 'admin@example.com', verified: true, unverified: [] })
    expect(all.permissions).toEqual(knownPermissions.filter((name) => name.startsWith('admin.')))
    const { body: none } = await (await open({ routes, as: 'unverified-admin' })).get('/auth/permissions')
    expect(none).toMatchObject({ verified: false, permissions: [], unverified: all.permissions })
    const { body: player } = await (await open({ routes, as: 'player' })).get('/auth/permissions')
    expect(player).toMatchObject({ permissions: [], unverified: [] })
  })

  it('POST /auth/renew answers another token, equally verified, and keeps the old one valid', async () => {
    const { post, get, tokens, people, token = '' } = await open({ routes, as: 'unverified-admin' })
    const { status, body } = await post('/auth/renew')
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String), displayName: 'admin', playerId: people.admin.playerId })
    expect(body.token).not.toBe(token)
    expect(await tokens.find(body.token)).toMatchObject({ verified: false })
    expect((await get('/auth/me')).status).toBe(200)
    expect((await get('/auth/me', bearer(body.token))).status).toBe(200)
  })

  it('POST /auth/renew answers 401 twelve hours after the sign-in, and the token stays valid', async () => {
    const { post, get, tokens, people, clock } = await open({ routes })
    const signedInAt = clock.now() - 12 * 3_600_000
    const token = await tokens.issue({ playerId: people.player.playerId, verified: true, signInId: 'old', signedInAt })
    expect(await post('/auth/renew', undefined, bearer(token))).toMatchObject({
      status: 401,
      body: { type: '/problems/sign-in-expired' },
    })
    expect((await get('/auth/me', bearer(token))).status).toBe(200)
  })

  it('POST /auth/logout revokes the token and its renewals, and no other sign-in', async () => {
    const { post, get, issueToken, token = '' } = await open({ routes, as: 'player' })
    const other = (await issueToken('player')) ?? ''
    const renewed = (await post('/auth/renew')).body.token
    expect(await post('/auth/logout', undefined, bearer(renewed))).toMatchObject({ status: 204, body: undefined })
    for (const one of [token, renewed]) expect(await get('/auth/me', bearer(one))).toMatchObject(dead)
    expect((await get('/auth/me', bearer(other))).status).toBe(200)
    expect((await post('/auth/logout')).status).toBe(401)
  })
})
