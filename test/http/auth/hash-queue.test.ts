import { describe, expect, it } from '@jest/globals'
import { hashSync } from 'bcryptjs'
import { allRoutes } from '../../../functions/all-routes.ts'
import { operatorRules } from '../../../shared/domain/permissions/operator-rules.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { doors, type OpenDoor } from '../doors.ts'

const blocks = 8
const fromHome = { 'x-forwarded-for': '198.51.100.7' }
const server = {
  http: { trustedProxies: 1, rateLimits: { signInPerMinutePerAccount: 1000, signInPerMinutePerAddress: 1000 } },
  auth: { local: { requirePassword: true, registration: 'open' as const } },
}
/** This hash takes some milliseconds to check. */
const slowHash = hashSync(fixturePassword, 7)

const next = 'a better password'
const bearer = async (app: OpenDoor, as: 'player' | 'admin') => ({
  ...fromHome,
  authorization: `Bearer ${await app.issueToken(as)}`,
})
const newcomer = { email: 'new@example.com', password: fixturePassword }

const hashing: readonly (readonly [string, (app: OpenDoor) => Promise<{ readonly status: number }>])[] = [
  ['POST /auth/login', ({ post }) => post('/auth/login', { ...newcomer, email: 'player@example.com' }, fromHome)],
  ['POST /auth/register', ({ post }) => post('/auth/register', newcomer, fromHome)],
  [
    'POST /auth/password',
    async (app) => app.post('/auth/password', { current: fixturePassword, next }, await bearer(app, 'player')),
  ],
  [
    'POST /auth/reset',
    async (app) => {
      const actor = { ...app.people.admin, verified: true, rules: operatorRules, via: 'http' as const, requestId: 'r' }
      const { code } = await app.deps.resetLinks.create(actor, 'player@example.com')
      return app.post('/auth/reset', { code, password: next }, fromHome)
    },
  ],
  ['POST /api/admin/users', async (app) => app.post('/api/admin/users', newcomer, await bearer(app, 'admin'))],
  [
    'PUT /api/admin/users/{email}',
    async (app) => app.put('/api/admin/users/player@example.com', { password: next }, await bearer(app, 'admin')),
  ],
]

describe.each(doors)('the queue of password hashes through %s', (_name, open) => {
  it.each(hashing)('answers %s while eight address blocks flood sign-ins', async (_what, ask) => {
    const app = await open({ routes: allRoutes, configs: { server } })
    const { people, accountStore, post, passwords } = app
    const slow = {
      ...people.player,
      email: 'slow@example.com',
      playerId: app.deps.ids.uuid(),
      displayName: 'slow',
      passwordHash: slowHash,
    }
    await accountStore.change(slow.email, () => ({ next: slow, result: undefined }))
    // From now on every check costs as much as this one.
    await post('/auth/login', { email: slow.email, password: 'not the password' }, fromHome)
    let answered = 0
    const flood = Array.from({ length: blocks * 20 }, async (_, at) => {
      const { status } = await post(
        '/auth/login',
        { email: `somebody${at}@example.com`, password: fixturePassword },
        { 'x-forwarded-for': `192.0.2.${at % blocks}` },
      )
      if (status === 401) answered += 1
      return status
    })
    await waitFor(() => passwords.waiting() >= 40)
    const before = answered
    const { status } = await ask(app)
    expect(status).toBeLessThan(300)
    // At most two hashes, each after one of each block in the worst case. Some end while requests are on their way.
    expect(answered - before).toBeLessThan(2 * blocks + 10)
    const statuses = await Promise.all(flood)
    expect(statuses.filter((one) => one === 503).length).toBeGreaterThan(0)
  })
})
