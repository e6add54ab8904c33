import { describe, expect, it } from '@jest/globals'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { doors } from '../doors.ts'

const routes = accountRoutes
const password = 'correct horse battery'

describe.each(doors)('GET /api/admin/users through %s', (_name, open) => {
  it('lists accounts by email, without hashes', async () => {
    const { get, people } = await open({ routes, as: 'admin' })
    const { status, body, text } = await get('/api/admin/users')
    expect(status).toBe(200)
    expect(body).toEqual({
      users: ['admin', 'player'].map((name) => ({
        email: `${name}@example.com`,
        playerId: people[name === 'admin' ? 'admin' : 'player'].playerId,
        displayName: name,
        groups: [name],
        hasPassword: true,
        createdAt: '2026-01-01T00:00:00.000Z',
      })),
    })
    expect(text).not.toContain('$2')
  })

  it('lists the accounts without a sign-in since an instant, each with its last sign-in', async () => {
    const { get, post, accountStore, people, clock } = await open({ routes: [...routes, ...authRoutes], as: 'admin' })
    clock.advance(60_000)
    const signedIn = await post('/auth/login', { email: 'player@example.com', password: fixturePassword })
    expect(signedIn.status).toBe(200)
    const at = new Date(clock.now()).toISOString()
    const emailsSince = async (since: string, limit = 50) =>
      (await get(`/api/admin/users?limit=${limit}&inactiveSince=${since}`)).body.users.map(
        ({ email }: { email: string }) => email,
      )
    const later = new Date(clock.now() + 1000).toISOString()
    expect((await get('/api/admin/users')).body.users).toMatchObject([{ email: 'admin@example.com' }, { lastSeenAt: at }])
    expect(await emailsSince(at)).toEqual(['admin@example.com'])
    expect(await emailsSince(later)).toEqual(['admin@example.com', 'player@example.com'])
    expect(await emailsSince('2025-01-01T00:00:00Z')).toEqual([])
    const old = { ...people.player, email: 'aaa@example.com', playerId: 'd5a0d0f6-6a3a-4f0e-9d3c-0a4a4ad3a001', displayName: 'A' }
    await accountStore.change(old.email, () => ({ next: old, result: undefined }))
    const first = (await get(`/api/admin/users?limit=1&inactiveSince=${at}`)).body
    expect(first.users).toMatchObject([{ email: 'aaa@example.com' }])
    const second = (await get(`/api/admin/users?limit=1&inactiveSince=${at}&cursor=${first.nextCursor}`)).body
    expect(second.users).toMatchObject([{ email: 'admin@example.com' }])
    for (const wrong of ['yesterday', '2026-13-01T00:00:00Z', '', '7d'])
      expect((await get(`/api/admin/users?inactiveSince=${wrong}`)).status).toBe(400)
  })

  it('lists the accounts whose names look alike, with a key for each name, page by page', async () => {
    const { get, post, accountStore, people } = await open({ routes, as: 'admin' })
    expect((await get('/api/admin/users?sharesName=true')).body).toEqual({ users: [] })
    const add = (email: string, displayName: string) =>
      post('/api/admin/users', { email, displayName, password: 'a good password', force: true })
    for (const [email, name] of [
      ['a@example.com', 'Bill'],
      ['b@example.com', 'Bob'],
      ['c@example.com', 'Bіll'],
      ['d@example.com', 'BOB'],
      ['e@example.com', 'Bobby'],
    ] as const)
      expect((await add(email, name)).status).toBe(201)
    const first = (await get('/api/admin/users?sharesName=true&limit=3')).body
    const rest = (await get(`/api/admin/users?sharesName=true&limit=3&cursor=${first.nextCursor}`)).body
    expect([first.users.length, rest.nextCursor]).toEqual([3, undefined])
    const [bill, bob, otherBill, otherBob] = [...first.users, ...rest.users]
    expect([bill.email, bob.email, otherBill.email, otherBob.email]).toEqual(
      ['a', 'b', 'c', 'd'].map((one) => `${one}@example.com`),
    )
    expect([bill.nameKey, bob.nameKey]).toEqual([otherBill.nameKey, otherBob.nameKey])
    expect(bill.nameKey).not.toBe(bob.nameKey)
    expect((await get('/api/admin/users?sharesName=true&q=bob')).body.users).toMatchObject([bob, otherBob])
    expect((await get('/api/admin/users')).body.users[0].nameKey).toBeUndefined()
    expect((await get('/api/admin/users?sharesName=maybe')).status).toBe(400)
    await accountStore.change('d@example.com', (current) => ({
      next: current && { ...current, displayName: people.player.displayName },
      result: undefined,
    }))
    const emails = (await get('/api/admin/users?sharesName=true')).body.users.map(({ email }: { email: string }) => email)
    expect(emails).toEqual(['a@example.com', 'c@example.com', 'd@example.com', 'player@example.com'])
  })

  it('finds by a part of email or name, ignoring letter case', async () => {
    const { get } = await open({ routes, as: 'admin' })
    expect((await get('/api/admin/users?q=PLAY')).body.users).toMatchObject([{ email: 'player@example.com' }])
    expect((await get('/api/admin/users?q=nobody')).body).toEqual({ users: [] })
  })

  it('finds a letter with its accent in any Unicode form', async () => {
    const { get, post } = await open({ routes, as: 'admin' })
    const body = { email: 'rene@example.com', password: 'a good password', displayName: 'Ren\u00e9' }
    expect((await post('/api/admin/users', body)).status).toBe(201)
    for (const typed of ['ren\u00e9', 'rene\u0301'])
      expect((await get(`/api/admin/users?q=${encodeURIComponent(typed)}`)).body.users).toMatchObject([{ email: body.email }])
  })

  it('continues after the previous page', async () => {
    const { get } = await open({ routes, as: 'admin' })
    const first = (await get('/api/admin/users?limit=1')).body
    expect(first).toMatchObject({ users: [{ email: 'admin@example.com' }], nextCursor: expect.any(String) })
    const second = (await get(`/api/admin/users?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`)).body
    expect(second).toEqual({ users: [expect.objectContaining({ email: 'player@example.com' })] })
  })

  it('continues after the longest possible email', async () => {
    const { get, accountStore, people } = await open({ routes, as: 'admin' })
    const email = `${'\u{20000}'.repeat(252)}@x`
    const account = { ...people.player, email, playerId: 'd5a0d0f6-6a3a-4f0e-9d3c-0a4a4ad3a001' }
    await accountStore.change(email, () => ({ next: account, result: undefined }))
    await accountStore.change(`\u{20001}@x`, () => ({
      next: { ...account, email: `\u{20001}@x`, playerId: 'd5a0d0f6-6a3a-4f0e-9d3c-0a4a4ad3a002' },
      result: undefined,
    }))
    const { nextCursor } = (await get('/api/admin/users?limit=3')).body
    expect((await get(`/api/admin/users?cursor=${nextCursor}`)).body.users).toMatchObject([{ email: '\u{20001}@x' }])
  })

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'cursor=', 'page=2', 'q=a&q=b'])(
    'answers 400 to ?%s',
    async (query) => {
      const { get } = await open({ routes, as: 'admin' })
      expect(await get(`/api/admin/users?${query}`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    },
  )

  it.each(['x', 'zzz', '%00', '%F0%9F%A6%8A', 'a'.repeat(1024)])('answers 400 to the invalid cursor %s', async (cursor) => {
    const { get } = await open({ routes, as: 'admin' })
    expect(await get(`/api/admin/users?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { type: '/problems/bad-request', errors: [{ pointer: '/cursor' }] },
    })
  })
})

describe.each(doors)('POST /api/admin/users through %s', (_name, open) => {
  it('answers 201 with the account and its address', async () => {
    const { post, get, accountStore } = await open({ routes, as: 'admin' })
    const answer = await post('/api/admin/users', {
      email: ' Ann+1@Example.com',
      password,
      displayName: 'Ann',
      groups: ['clerk'],
    })
    expect(answer).toMatchObject({
      status: 201,
      body: { email: 'ann+1@example.com', displayName: 'Ann', groups: ['clerk'], hasPassword: true },
    })
    const location = answer.headers.location ?? ''
    expect(location).toBe('/api/admin/users/ann%2B1%40example.com')
    const read = await get(location)
    expect(read.body).toEqual(answer.body)
    expect(read.headers.etag).toBe(answer.headers.etag)
    expect(await accountStore.findByEmail('ann+1@example.com')).toMatchObject({ displayName: 'Ann', groups: ['clerk'] })
  })

  it('adds it to the default groups unless the body has groups, even an empty list', async () => {
    const { post } = await open({ routes, as: 'admin' })
    expect((await post('/api/admin/users', { email: 'a@example.com', password })).body.groups).toEqual(['player'])
    expect((await post('/api/admin/users', { email: 'b@example.com', password, groups: [] })).body.groups).toEqual([])
  })

  it.each([
    ['no password', { email: 'a@example.com' }, 400, 'bad-request', '/password'],
    ['an invalid email', { email: 'a', password }, 400, 'bad-request', '/email'],
    ['a short password', { email: 'a@example.com', password: '1234567' }, 400, 'bad-request', '/password'],
    ['a long password', { email: 'a@example.com', password: 'é'.repeat(37) }, 400, 'bad-request', '/password'],
    ['an empty name', { email: 'a@example.com', password, displayName: ' ' }, 400, 'bad-request', '/displayName'],
    ['groups of the wrong type', { email: 'a@example.com', password, groups: 'admin' }, 400, 'bad-request', '/groups'],
    ['a duplicate group', { email: 'a@example.com', password, groups: ['player', 'player'] }, 400, 'bad-request', '/groups'],
    ['an unknown key', { email: 'a@example.com', password, verified: true }, 400, 'bad-request', '/verified'],
    ['an unknown group', { email: 'a@example.com', password, groups: ['player', 'x'] }, 422, 'unknown-group', '/groups/1'],
  ])('refuses %s and creates no account', async (_what, body, status, slug, pointer) => {
    const { post, accountStore, deps } = await open({ routes, as: 'admin' })
    const before = await accountStore.version()
    const answer = await post('/api/admin/users', body)
    expect(answer).toMatchObject({ status, body: { type: `/problems/${slug}` } })
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }))
    expect(await accountStore.version()).toBe(before)
    expect((await deps.audit.listEntries({ limit: 10 })).entries).toEqual([])
  })

  it('answers 409 to a taken name unless forced, and to a reserved name always', async () => {
    const { post, put } = await open({ routes, as: 'admin' })
    const ask = (email: string, displayName: string, force?: boolean) =>
      post('/api/admin/users', { email, password, displayName, ...(force !== undefined && { force }) })
    const taken = { status: 409, body: { type: '/problems/display-name-taken', errors: [{ pointer: '/displayName' }] } }
    expect(await ask('a@example.com', 'PLAYER')).toMatchObject(taken)
    expect(await ask('a@example.com', 'PLAYER', true)).toMatchObject({ status: 201, body: { displayName: 'PLAYER' } })
    for (const name of ['admin', 'System', '[SERVER]', 'оperator', 'Moderator!', 'Gatehouse'])
      for (const force of [false, true]) expect(await ask('b@example.com', name, force)).toMatchObject(taken)
    expect(await ask('b@example.com', 'Bea')).toMatchObject({ status: 201 })
    const path = '/api/admin/users/b%40example.com'
    expect(await put(path, { displayName: 'player' })).toMatchObject(taken)
    expect(await put(path, { displayName: 'Admin', force: true })).toMatchObject(taken)
    expect(await put(path, { displayName: 'player', force: true })).toMatchObject({ status: 200 })
    expect(await put(path, { displayName: 'player', groups: [] })).toMatchObject({ status: 200 })
  })

  it('generates a free name when the body has none', async () => {
    const { post } = await open({ routes, as: 'admin' })
    for (const [email, displayName] of [
      ['player@example.org', 'player2'],
      ['admin@example.org', 'admin2'],
      ['server@example.org', 'server2'],
    ])
      expect(await post('/api/admin/users', { email, password })).toMatchObject({ status: 201, body: { displayName } })
  })

  it('gives a name to one of two concurrent requests', async () => {
    const { post } = await open({ routes, as: 'admin' })
    const ask = (who: string, displayName: string) =>
      post('/api/admin/users', { email: `${who}@example.com`, password, displayName })
    const answers = await Promise.all([ask('one', 'Ada'), ask('two', 'ADA')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('answers 409 to a taken email, and keeps its account', async () => {
    const { post, accountStore, people } = await open({ routes, as: 'admin' })
    const answer = await post('/api/admin/users', { email: 'PLAYER@example.com', password })
    expect(answer).toMatchObject({ status: 409, body: { type: '/problems/already-exists' } })
    expect(await accountStore.findByEmail('player@example.com')).toEqual(people.player)
  })

  it('answers 503 when the queue of hashes is full, and creates no account', async () => {
    const { post, passwords, accountStore } = await open({ routes, as: 'admin' })
    await passwords.close()
    expect(await post('/api/admin/users', { email: 'a@example.com', password })).toMatchObject({
      status: 503,
      body: { type: '/problems/hashing-busy' },
    })
    expect(await accountStore.findByEmail('a@example.com')).toBeUndefined()
  })
})

describe.each(doors)('GET /api/admin/users/{email} through %s', (_name, open) => {
  it('answers the account with a strong tag, and 304 when it matches', async () => {
    const { get } = await open({ routes, as: 'admin' })
    const { status, headers, body } = await get('/api/admin/users/Player%40Example.com')
    expect({ status, body }).toMatchObject({ status: 200, body: { email: 'player@example.com', hasPassword: true } })
    const { etag = '' } = headers
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await get('/api/admin/users/player@example.com', { 'if-none-match': etag })
    expect(again).toMatchObject({ status: 304, body: undefined })
    expect(again.headers.etag).toBe(etag)
  })

  it.each(['nobody@example.com', 'nobody', '%20', '..%2f', '%00', '__proto__'])('answers 404 to %s', async (email) => {
    const { get } = await open({ routes, as: 'admin' })
    expect(await get(`/api/admin/users/${email}`)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
  })
})

describe.each(doors)('the routes of accounts through %s', (_name, open) => {
  it('answer 503 while users.yaml cannot be read', async () => {
    const refuse = () => Promise.reject(new AppError('unavailable', 'accounts-unreadable', 'users.yaml does not parse.'))
    const { deps, token = '' } = await open({ routes, as: 'admin' })
    const accountStore = { ...deps.accountStore, listAccounts: refuse }
    const opened = await open({ routes, deps: { ...deps, accountStore } })
    expect(await opened.get('/api/admin/users', { authorization: `Bearer ${token}` })).toMatchObject({
      status: 503,
      body: { type: '/problems/accounts-unreadable' },
    })
  })

  it('never show a password or its hash, in an answer, the audit log or the log', async () => {
    const { post, put, get, lines, accountStore } = await open({ routes, as: 'admin' })
    const answers = [
      await post('/api/admin/users', { email: 'a@example.com', password }),
      await put('/api/admin/users/a@example.com', { password: `${password} 2` }),
      await get('/api/admin/users'),
      await get('/api/admin/audit'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200])
    const { passwordHash = '' } = (await accountStore.findByEmail('a@example.com')) ?? {}
    const seen = JSON.stringify([answers, lines])
    for (const secret of [password, passwordHash, fixturePassword, '$2']) expect(seen).not.toContain(secret)
  })
})

describe.each(doors)('GET /api/admin/users/{email}/sign-ins through %s', (_name, open) => {
  it('lists the last sign-ins with their method, newest first; 404 for an unknown account', async () => {
    const configs = { server: { auth: { local: { requirePassword: true } } } }
    const { get, deps } = await open({ routes, as: 'admin', configs })
    const path = '/api/admin/users/player@example.com/sign-ins'
    expect(await get(path)).toMatchObject({ status: 200, body: { signIns: [] } })
    const origin = { address: '192.0.2.1', requestId: 'r' }
    await deps.signIn.login('player@example.com', fixturePassword, origin)
    await expect(deps.signIn.login('player@example.com', 'wrong', origin)).rejects.toThrow()
    expect((await get(path)).body).toEqual({
      signIns: [{ at: expect.any(String), by: 'password' }],
      failed: { count: 1, lastAt: expect.any(String) },
    })
    expect((await get('/api/admin/users/admin@example.com/sign-ins')).body).toEqual({ signIns: [], failed: { count: 0 } })
    expect(await get('/api/admin/users/nobody@example.com/sign-ins')).toMatchObject({ status: 404 })
  })
})
