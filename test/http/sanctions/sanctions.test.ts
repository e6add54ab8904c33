import { describe, expect, it } from '@jest/globals'
import { operator } from '../../support/accounts/account-fixture.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { doors } from '../doors.ts'

const path = '/api/admin/sanctions'
const email = 'player@example.com'
const reason = 'griefing the town'
const slugOf = ({ body }: { body: { type: string } }) => body.type.replace('/problems/', '')

const proxied = { server: { http: { trustedProxies: 1 } } }
const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.9, ${address}` })

describe.each(doors)('sanctions through %s', (_name, open) => {
  it('are created, listed and ended', async () => {
    const { post, get, del } = await open({ as: 'admin' })
    const made = await post(path, { kind: 'mute', email, reason, note: 'again' })
    expect(made).toMatchObject({ status: 201, body: { kind: 'mute', email, reason, note: 'again', by: 'admin@example.com' } })
    expect(made.headers.location).toBe(`${path}/${made.body.id}`)
    expect((await get(`${path}?email=Player@example.com&kind=mute&active=true`)).body).toEqual({
      sanctions: [made.body],
      names: { [email]: 'player', 'admin@example.com': 'admin' },
    })
    const ended = await del(`${path}/${made.body.id}`)
    expect(ended).toMatchObject({ status: 200, body: { ...made.body, endedBy: 'admin@example.com' } })
    expect((await get(`${path}?active=true`)).body).toEqual({ sanctions: [], names: {} })
    expect((await get(`${path}?limit=1`)).body.sanctions).toEqual([ended.body])
    expect((await del(`${path}/nothing`)).status).toBe(404)
  })

  it.each([
    [{ kind: 'exile', email, reason }, 400],
    [{ kind: 'mute', email }, 400],
    [{ kind: 'mute', email, reason: '' }, 400],
    [{ kind: 'mute', email, reason: 'x'.repeat(501) }, 400],
    [{ kind: 'mute', email, reason, until: 'never' }, 400],
    [{ kind: 'mute', email, reason, until: '02/03/2990' }, 400],
    [{ kind: 'mute', email, reason, until: '2990-02-31T00:00:00Z' }, 400],
    [{ kind: 'mute', email, reason, until: '2990-03-02T10:00' }, 400],
    [{ kind: 'mute', email, reason, until: '+275760-09-13T00:00:00.000Z' }, 400],
    [{ kind: 'mute', email, reason, until: '9999-12-31T23:59:59-12:00' }, 400],
    [{ kind: 'mute', email, reason, extra: 1 }, 400],
    [{ kind: 'mute', email: 'nobody', reason }, 400],
    [{ kind: 'ban', address: 'somewhere', reason }, 400],
    [{ kind: 'ban', address: '0.0.0.0/0', reason }, 422],
    [{ kind: 'ban', address: '::/0', reason }, 422],
    [{ kind: 'mute', email, reason, until: '2020-01-01T00:00:00Z' }, 422],
    [{ kind: 'mute', email: 'admin@example.com', reason }, 403],
  ] as const)('are refused with a clear error: %j is %i', async (body, status) => {
    const { post, get } = await open({ as: 'admin' })
    expect((await post(path, body)).status).toBe(status)
    expect((await get(path)).body.sanctions).toEqual([])
  })

  it('of an email without an account apply once it has one', async () => {
    const { post, deps } = await open({ as: 'admin', configs: { server: { auth: { local: { requirePassword: true } } } } })
    const ghost = 'ghost@example.com'
    expect(await post(path, { kind: 'ban', email: 'Ghost@example.com', reason })).toMatchObject({
      status: 201,
      body: { email: ghost },
    })
    const account = await deps.accounts.createAccount(operator, { email: ghost, password: fixturePassword })
    expect(account.email).toBe(ghost)
    expect((await post('/auth/login', { email: ghost, password: 'wrong password' })).status).toBe(401)
    const refused = await post('/auth/login', { email: ghost, password: fixturePassword })
    expect(refused).toMatchObject({ status: 403, body: { type: '/problems/account-banned', reason } })
  })

  it('refuse a banned account only after it proves its identity, with the reason and the end', async () => {
    const until = '2999-01-01T00:00:00.000Z'
    const server = { auth: { local: { requirePassword: true } } }
    const { deps, post, get, issueToken } = await open({ as: 'admin', configs: { server } })
    const theirs = { authorization: `Bearer ${await issueToken('player')}` }
    const renewed = await post('/auth/renew', undefined, theirs)
    expect(renewed.status).toBe(200)
    expect((await post(path, { kind: 'ban', email, reason, until })).status).toBe(201)
    expect((await post('/auth/login', { email, password: 'wrong' })).status).toBe(401)
    const refused = await post('/auth/login', { email, password: fixturePassword })
    expect(refused).toMatchObject({ status: 403, body: { reason, until, detail: expect.stringContaining(reason) } })
    expect(slugOf(refused)).toBe('account-banned')
    expect((await get('/auth/me', theirs)).status).toBe(401)
    // The refusal includes a token that is still valid, as after a ban during an outage of Redis.
    const { playerId } = (await deps.accountStore.findByEmail(email)) ?? { playerId: '' }
    const late = await deps.tokens.issue({ playerId, verified: true, signInId: 'x', signedInAt: deps.clock.now() })
    for (const answer of [
      await get('/auth/me', { authorization: `Bearer ${late}` }),
      await post('/auth/renew', undefined, { authorization: `Bearer ${late}` }),
    ])
      expect([answer.status, slugOf(answer)]).toEqual([403, 'account-banned'])
  })

  it('of an address refuse it before anything else, except at health checks', async () => {
    const { post, get, request } = await open({ as: 'admin', configs: proxied })
    const made = await post(path, { kind: 'ban', address: '203.0.113.0/24', reason }, from('192.0.2.1'))
    const line = await post(path, { kind: 'ban', address: '2001:db8:1:2:3:4:5:6', reason }, from('192.0.2.1'))
    expect(line).toMatchObject({ status: 201, body: { address: '2001:db8:1:2::/64' } })
    expect(made).toMatchObject({ status: 201, body: { address: '203.0.113.0/24' } })
    for (const address of ['/auth/me', '/api/auth/config', '/api/openapi.json', '/nowhere', path]) {
      const refused = await get(address, from('203.0.113.77'))
      expect([address, refused.status, slugOf(refused), refused.body.reason]).toEqual([address, 403, 'account-banned', reason])
    }
    const wrong = { body: { email, password: 'wrong' }, headers: from('203.0.113.77') }
    expect((await request('POST', '/auth/login', wrong)).status).toBe(403)
    for (const health of ['/healthz', '/readyz']) expect((await get(health, from('203.0.113.77'))).status).toBe(200)
    expect((await get('/api/auth/config', from('203.0.114.1'))).status).toBe(200)
  })

  it('ignore a forwarded address without a trusted proxy, to refuse and to admit', async () => {
    const { post, get } = await open({ as: 'admin' })
    await post(path, { kind: 'ban', address: '203.0.113.7', reason })
    expect((await get('/api/auth/config', from('203.0.113.7'))).status).toBe(200)
  })

  it('cannot apply to the address of their caller', async () => {
    const { post, get } = await open({ as: 'admin', configs: proxied })
    const refused = await post(path, { kind: 'ban', address: '203.0.113.0/24', reason }, from('203.0.113.7'))
    expect([refused.status, slugOf(refused)]).toEqual([403, 'not-oneself'])
    expect((await get(path, from('203.0.113.7'))).body.sanctions).toEqual([])
  })
})
