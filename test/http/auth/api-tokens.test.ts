import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import type { Route } from '../../../functions/http/route.ts'
import { rollbackJob } from '../../../shared/domain/jobs/rollback.ts'
import { doors } from '../doors.ts'

const day = 24 * 60 * 60_000

it('API tokens can call no route of sign-ins that changes something', () => {
  const isOfSignIns = ({ path, permission }: Route) => path.startsWith('/auth/') && permission !== 'none'
  const open = allRoutes.filter((route) => isOfSignIns(route) && route.notByToken !== true)
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(['get /auth/me', 'get /auth/permissions'])
})

describe.each(doors)('API tokens through %s', (_name, open) => {
  const openApp = async () => {
    const app = await open({ routes: allRoutes })
    const as = async (name: 'admin' | 'player' | 'unverified-admin') => ({
      authorization: `Bearer ${await app.issueToken(name)}`,
    })
    const create = async (permissions: readonly string[], more: object = {}, name: 'admin' | 'player' = 'admin') =>
      await app.post('/auth/tokens', { name: 'bot', permissions, ...more }, await as(name))
    const bearerOf = ({ body }: { readonly body: { readonly token: string } }) => ({ authorization: `Bearer ${body.token}` })
    const actions = async () =>
      (await app.get('/api/admin/audit', await as('admin'))).body.entries.map(({ action }: { action: string }) => action)
    return { ...app, as, create, bearerOf, actions }
  }

  it('are created, listed without their secret, and deleted', async () => {
    const app = await openApp()
    const made = await app.create(['admin.users.read'])
    expect(made).toMatchObject({ status: 201, body: { name: 'bot', permissions: ['admin.users.read'] } })
    expect(made.body.token).toMatch(/^ght_[A-Za-z0-9_-]{43}$/)
    const { token, ...shown } = made.body
    const listed = await app.get('/auth/tokens', await app.as('admin'))
    expect(listed).toMatchObject({ status: 200, body: { tokens: [shown] } })
    const bearer = app.bearerOf(made)
    expect(await app.get('/auth/me', bearer)).toMatchObject({ status: 200, body: { verified: true } })
    expect((await app.get('/api/admin/users', bearer)).status).toBe(200)
    expect((await app.del(`/auth/tokens/${made.body.id}`, await app.as('admin'))).status).toBe(204)
    expect((await app.get('/auth/me', bearer)).status).toBe(401)
    expect((await app.del(`/auth/tokens/${made.body.id}`, await app.as('admin'))).status).toBe(404)
    expect((await app.actions()).toSorted()).toEqual(['token.create', 'token.delete'])
    expect(JSON.stringify(app.lines)).not.toContain(token)
  })

  it('have the permissions of both the token and its owner', async () => {
    const app = await openApp()
    const narrow = app.bearerOf(await app.create(['admin.users.read', 'admin.instances.*']))
    expect((await app.get('/api/admin/instances', narrow)).status).toBe(200)
    const refused = await app.get('/api/admin/audit', narrow)
    expect(refused).toMatchObject({ status: 403, body: { type: '/problems/missing-permission' } })
    expect(refused.body.detail).toContain('API token does not include the permission "admin.audit.read"')
    expect((await app.put('/api/admin/users/player@example.com', { groups: ['admin'] }, narrow)).status).toBe(403)
    const ofPlayer = app.bearerOf(await app.create(['*'], {}, 'player'))
    expect((await app.get('/api/admin/users', ofPlayer)).status).toBe(403)
    // A later grant to the owner does not widen a token that does not name it.
    const limited = app.bearerOf(await app.create(['command.who'], {}, 'player'))
    const granted = await app.put('/api/admin/users/player@example.com', { groups: ['admin'] }, await app.as('admin'))
    expect(granted.status).toBe(200)
    expect((await app.get('/api/admin/users', limited)).status).toBe(403)
    expect((await app.get('/api/admin/users', ofPlayer)).status).toBe(200)
    // A demotion narrows every token at once.
    await app.put('/api/admin/users/player@example.com', { groups: ['player'] }, await app.as('admin'))
    expect((await app.get('/api/admin/users', ofPlayer)).status).toBe(403)
  })

  it('grant no more than they include', async () => {
    const app = await openApp()
    const writer = app.bearerOf(await app.create(['admin.users.*']))
    const widened = await app.put('/api/admin/users/player@example.com', { groups: ['admin'] }, writer)
    expect(widened).toMatchObject({ status: 403, body: { type: '/problems/beyond-own-permissions' } })
  })

  it.each([
    ['GET', '/auth/tokens'],
    ['POST', '/auth/tokens'],
    ['DELETE', '/auth/tokens/1'],
    ['GET', '/api/admin/tokens'],
    ['DELETE', '/api/admin/tokens/1'],
    ['POST', '/auth/renew'],
    ['POST', '/auth/logout'],
    ['POST', '/auth/password'],
  ])('cannot call %s %s', async (method, path) => {
    const app = await openApp()
    const bearer = app.bearerOf(await app.create(['*']))
    const bodies: Readonly<Record<string, object>> = {
      '/auth/tokens': { name: 'more', permissions: ['*'] },
      '/auth/password': { current: 'a password', next: 'another password' },
    }
    const answer =
      method === 'GET'
        ? await app.get(path, bearer)
        : method === 'DELETE'
          ? await app.del(path, bearer)
          : await app.post(path, bodies[path] ?? {}, bearer)
    expect(answer).toMatchObject({ status: 403, body: { type: '/problems/not-by-token' } })
  })

  it('need a verified sign-in to be created', async () => {
    const app = await openApp()
    const answer = await app.post('/auth/tokens', { name: 'bot', permissions: ['*'] }, await app.as('unverified-admin'))
    expect(answer).toMatchObject({ status: 403, body: { type: '/problems/password-sign-in-needed' } })
  })

  it.each([
    [['-admin.users.read'], 400, 'bad-request'],
    [['admin.*.read'], 400, 'bad-request'],
    [[], 400, 'bad-request'],
    [['zone.buld'], 422, 'unknown-permission'],
    [['command.msg'], 422, 'unknown-permission'],
  ])('refuse the permissions %j with %i', async (permissions, status, slug) => {
    const app = await openApp()
    expect(await app.create(permissions)).toMatchObject({ status, body: { type: `/problems/${slug}` } })
  })

  it('expire, and refuse a time in the past', async () => {
    const app = await openApp()
    const at = (ms: number) => ({ expiresAt: new Date(app.clock.now() + ms).toISOString() })
    expect(await app.create(['*'], at(-1))).toMatchObject({ status: 422, body: { type: '/problems/rule-broken' } })
    const made = await app.create(['*'], at(day))
    const bearer = app.bearerOf(made)
    expect((await app.get('/auth/me', bearer)).status).toBe(200)
    app.clock.advance(day)
    expect((await app.get('/auth/me', bearer)).status).toBe(401)
  })

  it('note the last use, and audit a use after a day of rest', async () => {
    const app = await openApp()
    const made = await app.create(['*'])
    const bearer = app.bearerOf(made)
    const lastUsed = async () => (await app.get('/auth/tokens', await app.as('admin'))).body.tokens[0].lastUsedAt
    expect(await lastUsed()).toBeUndefined()
    await app.get('/auth/me', bearer)
    const first = await lastUsed()
    expect(first).toBe(new Date(app.clock.now()).toISOString())
    app.clock.advance(2_000)
    await app.get('/auth/me', bearer)
    expect(await lastUsed()).toBe(first)
    app.clock.advance(day)
    await app.get('/auth/me', bearer)
    expect(await lastUsed()).not.toBe(first)
    expect(await app.actions()).toEqual(['token.use', 'token.create'])
  })

  it('die with the ban of their owner, and stay dead when the ban ends', async () => {
    const app = await openApp()
    const bearer = app.bearerOf(await app.create(['*'], {}, 'player'))
    const ban = { kind: 'ban', email: 'player@example.com', reason: 'griefing' }
    const imposed = await app.post('/api/admin/sanctions', ban, await app.as('admin'))
    expect(imposed.status).toBe(201)
    app.clock.advance(1_001)
    expect([401, 403]).toContain((await app.get('/auth/me', bearer)).status)
    await app.del(`/api/admin/sanctions/${imposed.body.id}`, await app.as('admin'))
    expect((await app.get('/auth/me', bearer)).status).toBe(401)
  })

  it('die with the account of their owner, and stay dead when the deletion is undone', async () => {
    const app = await openApp()
    const bearer = app.bearerOf(await app.create(['*'], {}, 'player'))
    expect((await app.del('/api/admin/users/player@example.com', await app.as('admin'))).status).toBe(204)
    expect((await app.get('/auth/me', bearer)).status).toBe(401)
    const { entries } = (await app.get('/api/admin/audit', await app.as('admin'))).body
    const { id } = entries.find(({ action }: { action: string }) => action === 'account.delete')
    const undone = await app.post(`/api/admin/audit/${encodeURIComponent(id)}/undo`, {}, await app.as('admin'))
    expect(undone.status).toBe(200)
    expect((await app.get('/auth/me', bearer)).status).toBe(401)
  })

  it('of all accounts are listed and deleted by administrators', async () => {
    const app = await openApp()
    const made = await app.create(['command.who'], {}, 'player')
    await app.create(['*'])
    const all = await app.get('/api/admin/tokens', await app.as('admin'))
    expect(all.body.tokens.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      'admin@example.com',
      'player@example.com',
    ])
    const one = await app.get('/api/admin/tokens?email=player@example.com', await app.as('admin'))
    expect(one.body.tokens).toMatchObject([{ id: made.body.id, email: 'player@example.com' }])
    expect(JSON.stringify(all.body)).not.toMatch(/ght_|hash/)
    expect((await app.get('/api/admin/tokens', await app.as('player'))).status).toBe(403)
    expect((await app.del(`/api/admin/tokens/${made.body.id}`, await app.as('admin'))).status).toBe(204)
    expect((await app.get('/auth/me', app.bearerOf(made))).status).toBe(401)
  })

  it('survive a new password of their owner', async () => {
    const app = await openApp()
    const bearer = app.bearerOf(await app.create(['*'], {}, 'player'))
    await app.put('/api/admin/users/player@example.com', { password: 'a new password, long' }, await app.as('admin'))
    expect((await app.get('/auth/me', bearer)).status).toBe(200)
  })

  it('see and cancel rollbacks of their owner only with a permission for rollbacks', async () => {
    const app = await openApp()
    const record = await app.worlds.createWorld({ name: 'north' })
    const input = { since: 0, until: 1, by: app.people.player.playerId }
    const { email, playerId } = app.people.player
    const author = { email, playerId, via: 'http', requestId: 'r' } as const
    const job = await app.deps.jobs.start(author, rollbackJob(record, input))
    const path = `/api/admin/jobs/${job.id}`
    expect((await app.get(path, await app.as('player'))).status).toBe(200)
    const narrow = app.bearerOf(await app.create(['command.who'], {}, 'player'))
    expect((await app.get(path, narrow)).status).toBe(403)
    expect((await app.del(path, narrow)).status).toBe(403)
    const wide = app.bearerOf(await app.create(['zone.*'], {}, 'player'))
    expect((await app.get(path, wide)).status).toBe(200)
    expect((await app.del(path, wide)).status).toBe(204)
  })

  it('are limited to 50 for an account', async () => {
    const app = await openApp()
    for (let at = 0; at < 50; at += 1) expect((await app.create(['*'])).status).toBe(201)
    expect(await app.create(['*'])).toMatchObject({ status: 422, body: { type: '/problems/rule-broken' } })
  })
})
