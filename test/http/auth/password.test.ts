import { describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { doors, type OpenDoor } from '../doors.ts'

const routes = authRoutes
const next = 'another horse battery'
const email = 'player@example.com'
const good = { current: fixturePassword, next }
const requirePassword = { server: { auth: { local: { requirePassword: true } } } }

const hashOf = async ({ accountStore }: OpenDoor) => (await accountStore.findByEmail(email))?.passwordHash
const listAudit = async ({ deps }: OpenDoor) => (await deps.audit.listEntries({ limit: 10 })).entries
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The token store is away.'))

describe.each(doors)('POST /auth/password through %s', (_name, open) => {
  it('sets the password, keeps this sign-in and ends every other one', async () => {
    const opened = await open({ routes, as: 'player', configs: requirePassword })
    const elsewhere = (await opened.issueToken('player')) ?? ''
    const stranger = (await opened.issueToken('admin')) ?? ''
    const { status, text } = await opened.post('/auth/password', good)
    expect([status, text]).toEqual([204, ''])
    expect((await opened.get('/auth/me')).status).toBe(200)
    expect((await opened.post('/auth/renew')).status).toBe(200)
    expect((await opened.get('/auth/me', bearer(elsewhere))).status).toBe(401)
    expect((await opened.get('/auth/me', bearer(stranger))).status).toBe(200)
    expect((await opened.post('/auth/login', { email, password: next })).status).toBe(200)
    expect((await opened.post('/auth/login', { email, password: fixturePassword })).status).toBe(401)
  })

  it('is audited without a password or hash', async () => {
    const opened = await open({ routes, as: 'player' })
    await opened.post('/auth/password', good)
    const entries = await listAudit(opened)
    expect(entries).toMatchObject([{ action: 'account.update', actor: email, target: email, after: { passwordChanged: true } }])
    const records = JSON.stringify([entries, opened.lines])
    for (const secret of [fixturePassword, next, '$2']) expect(records).not.toContain(secret)
  })

  it('answers 403 to a wrong password, and changes nothing', async () => {
    const opened = await open({ routes, as: 'player' })
    const before = await hashOf(opened)
    const elsewhere = (await opened.issueToken('player')) ?? ''
    for (const current of ['', 'wrong horse', `${fixturePassword} `, 'x'.repeat(200)])
      expect(await opened.post('/auth/password', { current, next })).toMatchObject({
        status: 403,
        body: { type: '/problems/wrong-password' },
      })
    expect(await hashOf(opened)).toBe(before)
    expect((await opened.get('/auth/me', bearer(elsewhere))).status).toBe(200)
    expect(await listAudit(opened)).toEqual([])
  })

  it('counts wrong passwords with the sign-ins of address and email', async () => {
    const configs = { server: { http: { rateLimits: { signInPerMinutePerAccount: 2 } } } }
    const opened = await open({ routes, as: 'player', configs })
    for (const _ of [1, 2]) expect((await opened.post('/auth/password', { current: 'wrong', next })).status).toBe(403)
    const limited = await opened.post('/auth/password', good)
    expect(limited).toMatchObject({ status: 429, body: { type: '/problems/too-many-requests' } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await opened.post('/auth/login', { email, password: fixturePassword })).status).toBe(429)
  })

  it('counts with the sign-ins of the address before it reads the body', async () => {
    const configs = { server: { http: { rateLimits: { signInPerMinutePerAddress: 1 } } } }
    const opened = await open({ routes, configs })
    expect((await opened.post('/auth/password', good)).status).toBe(401)
    expect((await opened.post('/auth/password', good)).status).toBe(429)
  })

  it.each([
    [{ ...good, next: 'short' }, '/next'],
    [{ ...good, next: 'ä'.repeat(37) }, '/next'],
    [{ ...good, next: 'with\0nul bytes' }, '/next'],
    [{ next }, '/current'],
    [{ current: fixturePassword }, '/next'],
    [{ ...good, current: 7 }, '/current'],
    [{ ...good, email: 'admin@example.com' }, '/email'],
  ])('answers 400 to %j', async (body, pointer) => {
    const opened = await open({ routes, as: 'player' })
    const before = await hashOf(opened)
    const answer = await opened.post('/auth/password', body)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }))
    expect(await hashOf(opened)).toBe(before)
  })

  it('sets no password for an account without one, with any token', async () => {
    const opened = await open({ routes })
    const { token } = (await opened.post('/auth/login', { email: 'new@example.com' })).body
    const fresh = await opened.accountStore.findByEmail('new@example.com')
    const signIn = { playerId: fresh?.playerId ?? '', signInId: systemIds.uuid(), signedInAt: opened.clock.now() }
    const verified = await opened.tokens.issue({ ...signIn, verified: true })
    for (const one of [token, verified])
      for (const current of ['', next, 'anything'])
        expect(await opened.post('/auth/password', { current, next }, bearer(one))).toMatchObject({
          status: 403,
          body: { type: '/problems/no-password' },
        })
    expect((await opened.accountStore.findByEmail('new@example.com'))?.passwordHash).toBeUndefined()
  })

  it('keeps an unverified sign-in unverified, because the password is the proof, not the token', async () => {
    const opened = await open({ routes })
    const { token } = (await opened.post('/auth/login', { email })).body
    expect((await opened.post('/auth/password', good, bearer(token))).status).toBe(204)
    expect(await opened.tokens.find(token)).toMatchObject({ verified: false })
  })

  it('answers 404 with an identity provider', async () => {
    const opened = await open({ routes, as: 'player', configs: { server: { auth: { provider: 'oauth' } } } })
    expect(await opened.post('/auth/password', good)).toMatchObject({
      status: 404,
      body: { type: '/problems/provider-mismatch' },
    })
  })

  it('accepts one of several concurrent changes, and refuses the previous password', async () => {
    const opened = await open({ routes, as: 'player' })
    const answers = await Promise.all(
      ['one', 'two', 'three', 'four', 'five'].map((name) =>
        opened.post('/auth/password', { current: fixturePassword, next: `horse number ${name}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    for (const { status } of answers) expect([204, 403, 409]).toContain(status)
  })

  it('answers 503 when tokens cannot be revoked, and changes nothing', async () => {
    const opened = await open({ routes, as: 'player' })
    const before = await hashOf(opened)
    opened.tokens.ping = away
    const answer = await opened.post('/auth/password', good)
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/service-unavailable' } })
    expect(await hashOf(opened)).toBe(before)
  })
})
