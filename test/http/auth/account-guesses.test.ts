import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import { takeUnseenFailures } from '../../../shared/domain/accounts/failed-sign-ins.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { doors } from '../doors.ts'

const email = 'player@example.com'
const home = { 'x-forwarded-for': '198.51.100.7' }
const serverWith = (requirePassword: boolean) => ({
  http: { trustedProxies: 1 },
  auth: { local: { requirePassword } },
})
const tooMany = { status: 429, body: { type: '/problems/too-many-requests', detail: expect.stringContaining('wrong passwords') } }

describe.each(doors)('wrong passwords for one account through %s', (_name, open) => {
  const openApp = async (requirePassword: boolean) => {
    const app = await open({ routes: allRoutes, configs: { server: serverWith(requirePassword) } })
    const signIn = (headers: Record<string, string>, password = fixturePassword, who = email) =>
      app.post('/auth/login', { email: who, password }, headers)
    const guess = async (count: number, who = email) => {
      const answers = []
      for (let at = 0; at < count; at += 1)
        answers.push(await signIn({ 'x-forwarded-for': `192.0.2.${at}` }, 'not the password', who))
      return answers
    }
    const asAdmin = async () => ({ authorization: `Bearer ${await app.issueToken('admin')}` })
    const readSignIns = async () => (await app.get(`/api/admin/users/${email}/sign-ins`, await asAdmin())).body
    const listReports = async () => {
      const { body } = await app.get('/api/admin/audit?actor=system', await asAdmin())
      return body.entries.map(({ action, target }: { action: string; target: string }) => [action, target])
    }
    return { ...app, signIn, guess, readSignIns, listReports }
  }

  it.each([true, false])('answer 429 after 30, except for earlier sign-in blocks (requirePassword: %s)', async (isRequired) => {
    const app = await openApp(isRequired)
    expect(await app.signIn(home)).toMatchObject({ status: 200, body: { verified: true } })
    const failed = await app.guess(30)
    expect(new Set(failed.map(({ status, body }) => `${status} ${body.verified}`))).toEqual(
      new Set([isRequired ? '401 undefined' : '200 false']),
    )
    const [refused] = await app.guess(1)
    expect(refused).toMatchObject(tooMany)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(await app.signIn({ 'x-forwarded-for': '203.0.113.9' })).toMatchObject(tooMany)
    expect(await app.readSignIns()).toMatchObject({ failed: { count: 30, lastAt: expect.any(String) } })
    const back = await app.signIn(home)
    expect(back).toMatchObject({ status: 200, body: { verified: true, failed: { count: 30, lastAt: expect.any(String) } } })
    expect((await app.signIn(home)).body).not.toHaveProperty('failed')
    expect(await app.readSignIns()).toMatchObject({ failed: { count: 0 } })
    expect(await app.listReports()).toEqual([['account.guessed', email]])
    expect(await takeUnseenFailures(app.store, app.people.player.playerId)).toMatchObject({ count: 30 })
    expect(await takeUnseenFailures(app.store, app.people.player.playerId)).toEqual({ count: 0 })
  })

  it('answer the same for an email without an account', async () => {
    const app = await openApp(true)
    const strip = ({ status, body }: Awaited<ReturnType<typeof app.signIn>>) => ({ status, ...body, instance: '' })
    const existing = (await app.guess(32)).map(strip)
    const unknown = (await app.guess(32, 'nobody@example.com')).map(strip)
    expect(unknown).toEqual(existing)
    expect(await app.listReports()).toEqual([['account.guessed', email]])
  })

  it('have the same limit when concurrent, and right passwords do not count', async () => {
    const app = await openApp(true)
    for (let at = 0; at < 40; at += 1)
      expect(await app.signIn({ 'x-forwarded-for': `198.51.100.${at}` })).toMatchObject({ status: 200 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => app.signIn({ 'x-forwarded-for': `192.0.2.${at}` }, 'not the password')),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  it('also count when a user changes the own password', async () => {
    const app = await openApp(true)
    await app.guess(30)
    const authorization = `Bearer ${await app.issueToken('player')}`
    const body = { current: 'not the password', next: 'a better password' }
    expect(await app.post('/auth/password', body, { ...home, authorization })).toMatchObject(tooMany)
  })
})
