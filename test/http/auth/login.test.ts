import { describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { operatorRules } from '../../../shared/domain/permissions/operator-rules.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { bothDoors } from '../doors.ts'

const routes = authRoutes
const passwordsOn = { server: { auth: { local: { requirePassword: true } } } }
const credentials = { email: 'player@example.com', password: fixturePassword }

describe.each(bothDoors)('GET /api/auth/config through %s', (_name, open) => {
  it('answers the provider and the current password requirement to anyone', async () => {
    const { get, configs } = await open({ routes })
    expect(await get('/api/auth/config')).toMatchObject({ status: 200, body: { provider: 'local', requirePassword: false } })
    configs.set(passwordsOn)
    expect((await get('/api/auth/config')).body).toEqual({ provider: 'local', requirePassword: true, registration: 'off' })
  })

  it('has the name of the server if server.yaml sets one', async () => {
    const { get, configs } = await open({ routes })
    expect((await get('/api/auth/config')).body).not.toHaveProperty('name')
    configs.set({ server: { server: { name: 'Oak Harbour' } } })
    expect((await get('/api/auth/config')).body).toMatchObject({ name: 'Oak Harbour' })
  })
})

describe.each(bothDoors)('POST /auth/login through %s', (_name, open) => {
  it('answers a token that works at /auth/me', async () => {
    const { post, get, people } = await open({ routes })
    const { status, body } = await post('/auth/login', credentials)
    expect(status).toBe(200)
    const { playerId } = people.player
    expect(body).toEqual({ token: expect.any(String), displayName: 'player', playerId, verified: true })
    expect(body.token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await get('/auth/me', { authorization: `Bearer ${body.token}` })).toMatchObject({
      status: 200,
      body: { playerId: people.player.playerId, displayName: 'player' },
    })
  })

  it.each([
    ['a wrong password', { email: credentials.email, password: 'not the password' }],
    ['no password', { email: credentials.email }],
    ['an unknown email', { email: 'new@example.com', password: 'anything' }],
  ])('answers verified false for %s when passwords are optional', async (_what, sent) => {
    const { post } = await open({ routes })
    expect(await post('/auth/login', sent)).toMatchObject({ status: 200, body: { verified: false } })
  })

  it('creates one account for an unknown email when passwords are optional', async () => {
    const { post, accountStore } = await open({ routes })
    const first = await post('/auth/login', { email: 'New@Example.com', password: '' })
    const second = await post('/auth/login', { email: 'new@example.com', password: 'anything' })
    expect(first).toMatchObject({ status: 200, body: { displayName: 'new' } })
    expect(second.body.playerId).toBe(first.body.playerId)
    expect(await accountStore.findByEmail('new@example.com')).toMatchObject({ groups: ['player'] })
  })

  it('gives a new account the chosen name, and does not rename an existing one', async () => {
    const { post, accountStore } = await open({ routes })
    const email = 'new@example.com'
    expect(await post('/auth/login', { email, displayName: '  Ada  ' })).toMatchObject({
      status: 200,
      body: { displayName: 'Ada' },
    })
    for (const displayName of ['Bob', 'player', '', 'x'.repeat(33)])
      expect((await post('/auth/login', { email, displayName })).body.displayName).toBe('Ada')
    expect(await accountStore.findByEmail(email)).toMatchObject({ displayName: 'Ada', groups: ['player'] })
  })

  it.each(['', '\u200b', 'x'.repeat(33), 'a\nb', null, 7])(
    'refuses the name %j for a new account, and creates none',
    async (displayName) => {
      const { post, accountStore } = await open({ routes })
      const answer = await post('/auth/login', { email: 'new@example.com', displayName })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/displayName' }] } })
      expect(await accountStore.findByEmail('new@example.com')).toBeUndefined()
    },
  )

  it('signs one account in with any form of its domain, and bans it in all forms', async () => {
    const { post, accountStore, people, deps } = await open({ routes })
    const [readable, ascii] = ['ann@München.de', 'ann@xn--mnchen-3ya.de']
    const signIn = (email: string) => post('/auth/login', { email })
    const first = await signIn(readable)
    expect((await signIn(ascii)).body.playerId).toBe(first.body.playerId)
    expect(await accountStore.findByEmail(ascii)).toMatchObject({ email: ascii })
    const actor = { ...people.admin, rules: operatorRules, verified: true, via: 'http' as const, requestId: 'r' }
    await deps.sanctions.impose(actor, { kind: 'ban', email: readable, reason: 'spam' })
    for (const email of [readable, ascii])
      expect(await signIn(email)).toMatchObject({ status: 403, body: { type: '/problems/account-banned' } })
  })

  it('refuses a taken name and look-alikes, and gives a name to one of two concurrent requests', async () => {
    const { post, accountStore } = await open({ routes })
    const ask = (who: string, displayName: string) => post('/auth/login', { email: `${who}@example.com`, displayName })
    const answers = await Promise.all([ask('one', 'Ada'), ask('two', 'ADA')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await ask('three', 'Аdа')).toMatchObject({
      status: 409,
      body: { type: '/problems/display-name-taken', errors: [{ pointer: '/displayName' }] },
    })
    expect(await accountStore.findByEmail('three@example.com')).toBeUndefined()
  })

  it('ignores a name when passwords are required', async () => {
    const { post, accountStore } = await open({ routes, configs: passwordsOn })
    const without = await post('/auth/login', { email: 'nobody@example.com', password: 'not the password' })
    for (const displayName of ['Ada', 'player', ''])
      for (const email of ['nobody@example.com', credentials.email]) {
        const answer = await post('/auth/login', { email, password: 'not the password', displayName })
        expect([answer.status, answer.text]).toEqual([401, without.text])
      }
    expect(await accountStore.findByEmail('nobody@example.com')).toBeUndefined()
    expect(await post('/auth/login', { ...credentials, displayName: 'Ada' })).toMatchObject({ body: { displayName: 'player' } })
  })

  it('needs no password when passwords are optional, and then allows nothing privileged', async () => {
    const { post, tokens } = await open({ routes })
    const answer = await post('/auth/login', { email: 'admin@example.com' })
    expect(answer.status).toBe(200)
    expect((await tokens.find(answer.body.token))?.verified).toBe(false)
    expect((await post('/auth/login', { email: 'new@example.com' })).status).toBe(200)
  })

  it.each(['player@example.com', 'nobody@example.com'])(
    'answers 400 to %s without a password when passwords are required',
    async (email) => {
      const { post, accountStore } = await open({ routes, configs: passwordsOn })
      const answer = await post('/auth/login', { email })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/password', message: 'is required' }] } })
      expect(answer.body.detail).toContain('password')
      expect(await accountStore.findByEmail('nobody@example.com')).toBeUndefined()
    },
  )

  it('allows no administration without a password, for any email', async () => {
    const { post, tokens } = await open({ routes })
    const verified = async (email: string, password: string) =>
      (await tokens.find((await post('/auth/login', { email, password })).body.token))?.verified
    expect(await verified('admin@example.com', 'wrong')).toBe(false)
    expect(await verified('admin@example.com', fixturePassword)).toBe(true)
  })

  it('answers alike to an unknown email and a wrong password when passwords are required', async () => {
    const { post, accountStore } = await open({ routes, configs: passwordsOn })
    const wrong = await post('/auth/login', { ...credentials, password: 'not the password' })
    const unknown = await post('/auth/login', { email: 'nobody@example.com', password: 'not the password' })
    expect(wrong).toMatchObject({ status: 401, body: { type: '/problems/invalid-credentials' } })
    expect(wrong.headers['www-authenticate']).toBe('Bearer')
    expect(unknown.status).toBe(401)
    expect(unknown.text).toBe(wrong.text)
    expect(await accountStore.findByEmail('nobody@example.com')).toBeUndefined()
    expect((await post('/auth/login', credentials)).status).toBe(200)
  })

  it.each([
    ['an invalid email', { email: 'ann', password: 'x' }, '/email'],
    ['no email', { password: 'x' }, '/email'],
    ['a password of the wrong type', { email: 'a@example.com', password: 12345678 }, '/password'],
    ['null for a password', { email: 'a@example.com', password: null }, '/password'],
    ['an unknown key', { email: 'a@example.com', password: 'x', admin: true }, '/admin'],
    ['an email too long', { email: `${'a'.repeat(64)}@${'b.'.repeat(100)}example`, password: 'x' }, '/email'],
  ])('answers 400 to %s, points at it and creates no account', async (_what, body, pointer) => {
    const { post, accountStore } = await open({ routes })
    const before = await accountStore.version()
    const answer = await post('/auth/login', body)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }))
    expect(await accountStore.version()).toBe(before)
  })

  it('answers 429 with Retry-After above the limit of an email, with any forwarded address', async () => {
    const configs = { server: { http: { rateLimits: { signInPerMinutePerAccount: 2 } } } }
    const { post } = await open({ routes, configs })
    const forged = (hop: number) => post('/auth/login', credentials, { 'x-forwarded-for': `198.51.100.${hop}` })
    expect((await forged(1)).status).toBe(200)
    expect((await forged(2)).status).toBe(200)
    const refused = await forged(3)
    expect(refused).toMatchObject({ status: 429, body: { type: '/problems/too-many-requests' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await post('/auth/login', { ...credentials, email: 'admin@example.com' })).status).toBe(200)
  })

  it('answers 503 with Retry-After when the queue of hashes is full', async () => {
    const { post, passwords } = await open({ routes, configs: passwordsOn })
    await passwords.close()
    const answer = await post('/auth/login', credentials)
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/hashing-busy' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('writes neither password nor token into the log', async () => {
    const { post, lines } = await open({ routes })
    const { body } = await post('/auth/login', credentials)
    expect(lines.length).toBeGreaterThan(0)
    expect(JSON.stringify(lines)).not.toContain(fixturePassword)
    expect(JSON.stringify(lines)).not.toContain(body.token)
  })
})

describe.each(bothDoors)('sign-in through an identity provider, through %s', (_name, open) => {
  it.each([
    '/auth/oauth/start?returnUrl=https://example.com/',
    '/auth/oauth/start',
    '/auth/callback?code=a&state=b&iss=c',
    '/auth/callback',
  ])('answers 404 provider-mismatch when the provider is local: %s', async (path) => {
    const { get } = await open({ routes })
    expect(await get(path)).toMatchObject({ status: 404, body: { type: '/problems/provider-mismatch' } })
  })
})
