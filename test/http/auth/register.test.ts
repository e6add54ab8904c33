import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import { operator } from '../../support/accounts/account-fixture.ts'
import { doors, type OpenDoor } from '../doors.ts'

const routes = allRoutes
const password = 'correct horse of mine'
const email = 'new@example.com'
const asks = { email, password }
const dayMs = 86_400_000

const withRegistration = (registration: string) => ({
  server: { auth: { local: { requirePassword: true, registration } }, http: { rateLimits: { signInPerMinutePerAccount: 50 } } },
})
const refusal = (status: number, slug: string) => ({ status, body: { type: `/problems/${slug}` } })
const actionsOf = async ({ deps }: OpenDoor) => (await deps.audit.listEntries({ limit: 50 })).entries.map(({ action }) => action)

describe.each(doors)('registration through %s', (_name, open) => {
  const openAs = (registration: string) => open({ routes, as: 'admin', configs: withRegistration(registration) })
  const invite = async (opened: OpenDoor, body: object = {}) => (await opened.post('/api/admin/invitations', body)).body
  const signIn = async (opened: OpenDoor, as = asks) => (await opened.post('/auth/login', as)).status

  it('is off by default, and clients can see that', async () => {
    const opened = await open({ routes, as: 'admin' })
    expect(await opened.post('/auth/register', asks)).toMatchObject(refusal(403, 'registration-closed'))
    expect((await opened.get('/api/auth/config')).body).toMatchObject({ registration: 'off' })
    expect(await opened.accountStore.findByEmail(email)).toBeUndefined()
  })

  it('creates an account with the default groups that signs in with its password', async () => {
    const opened = await openAs('open')
    const answer = await opened.post('/auth/register', asks)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await signIn(opened)).toBe(200)
    expect(await signIn(opened, { email, password: 'another horse' })).toBe(401)
    expect(await opened.accountStore.findByEmail(email)).toMatchObject({ displayName: 'new', groups: ['player'] })
  })

  it('answers alike for a taken email, and keeps its account', async () => {
    const opened = await openAs('open')
    const before = await opened.accountStore.findByEmail('player@example.com')
    const [known, fresh] = [
      await opened.post('/auth/register', { email: 'player@example.com', password }),
      await opened.post('/auth/register', asks),
    ]
    expect([known.status, known.text]).toEqual([fresh.status, fresh.text])
    expect(await opened.accountStore.findByEmail('player@example.com')).toEqual(before)
    // Both cases write an entry, so that the duration does not reveal which one applies.
    expect(await actionsOf(opened)).toEqual(expect.arrayContaining(['account.create', 'account.register-again']))
  })

  it('refuses a taken name, its look-alikes and other letter case, for any email', async () => {
    const opened = await openAs('open')
    expect((await opened.post('/auth/register', { ...asks, displayName: 'Pаvel Smith' })).status).toBe(204)
    for (const displayName of ['pavel smith', 'PAVEL  SMITH', 'Ｐavel Smith', 'Pável Sm1th', 'Pavel Srnith'])
      for (const other of ['other@example.com', email, 'player@example.com'])
        expect(await opened.post('/auth/register', { email: other, password, displayName })).toMatchObject(
          refusal(409, 'display-name-taken'),
        )
    expect(await opened.accountStore.findByEmail('other@example.com')).toBeUndefined()
  })

  it('generates a free name when none is given, also at a first sign-in without a password', async () => {
    const opened = await open({ routes, as: 'admin', configs: { server: { auth: { local: { registration: 'open' } } } } })
    await opened.post('/auth/register', { email: 'sam@one.example', password })
    await opened.post('/auth/register', { email: 'sam@two.example', password })
    expect((await opened.post('/auth/login', { email: 'SAM@three.example', password: '' })).body.displayName).toBe('sam3')
    expect((await opened.accountStore.findByEmail('sam@two.example'))?.displayName).toBe('sam2')
  })

  it('gives a name to one of several concurrent requests', async () => {
    const opened = await openAs('open')
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((who) => opened.post('/auth/register', { email: `${who}@example.com`, password, displayName: 'Same' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409])
  })

  it('accepts an invitation once, and adds the account to its groups', async () => {
    const opened = await openAs('invite')
    expect(await opened.post('/auth/register', asks)).toMatchObject(refusal(403, 'invalid-invitation'))
    const { code, id } = await invite(opened, { groups: ['player', 'clerk'], note: 'Ann from school' })
    const listed = await opened.get('/api/admin/invitations')
    expect(listed.body.invitations).toMatchObject([{ id, groups: ['player', 'clerk'], note: 'Ann from school' }])
    expect(listed.text).not.toContain(code.split('.')[1])
    expect((await opened.post('/auth/register', { ...asks, invitation: code })).status).toBe(204)
    expect((await opened.accountStore.findByEmail(email))?.groups).toEqual(['player', 'clerk'])
    const again = { email: 'second@example.com', password, invitation: code }
    expect(await opened.post('/auth/register', again)).toMatchObject(refusal(403, 'invalid-invitation'))
    expect((await opened.get('/api/admin/invitations')).body.invitations).toEqual([])
  })

  it('uses an invitation once, also for concurrent requests', async () => {
    const opened = await openAs('invite')
    const { code } = await invite(opened)
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => opened.post('/auth/register', { email: `n${n}@example.com`, password, invitation: code })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(204)
    for (const status of statuses.slice(1)) expect([403, 409]).toContain(status)
  })

  it('keeps an invitation valid when the account is refused or its process dies', async () => {
    const opened = await openAs('invite')
    const { code, id } = await invite(opened)
    const wrong = { ...asks, invitation: code, displayName: 'Player' }
    expect(await opened.post('/auth/register', wrong)).toMatchObject(refusal(409, 'display-name-taken'))
    expect((await opened.post('/auth/register', { ...asks, invitation: code, password: 'short' })).status).toBe(400)
    const { invitationRecords } = await import('../../../shared/domain/auth/own-accounts/invitation.ts')
    const stored = await opened.store.get(invitationRecords, id)
    if (stored === undefined) throw new Error('the record is missing')
    const takenAt = new Date(opened.clock.now()).toISOString()
    await opened.store.put(invitationRecords, id, { ...stored.value, takenBy: 'gone@example.com', takenAt })
    // The message is not "wrong, used or expired", because the user would then ask for another invitation.
    expect(await opened.post('/auth/register', { ...asks, invitation: code })).toMatchObject(refusal(409, 'conflict'))
    opened.clock.advance(61_000)
    expect((await opened.post('/auth/register', { ...asks, invitation: code })).status).toBe(204)
  })

  it.each(['was demoted', 'was banned', 'was deleted'])('adds no group by an invitation whose maker %s', async (what) => {
    const opened = await openAs('invite')
    const maker = 'admin@example.com'
    const [withGroups, plain] = [await invite(opened, { groups: ['clerk'] }), await invite(opened)]
    await opened.post('/api/admin/users', { email: 'boss@example.com', password, groups: ['admin'] })
    const ban = { kind: 'ban', email: maker, reason: 'went rogue' } as const
    if (what === 'was banned') await opened.deps.sanctions.impose(operator, ban)
    else
      await opened.accountStore.change(maker, (found) => ({
        next: what === 'was deleted' || found === undefined ? undefined : { ...found, groups: ['player'] },
        result: undefined,
      }))
    expect(await opened.post('/auth/register', { ...asks, invitation: withGroups.code })).toMatchObject(
      refusal(403, 'invalid-invitation'),
    )
    expect((await opened.post('/auth/register', { ...asks, invitation: plain.code })).status).toBe(204)
  })

  it('adds a group while the maker of the invitation can invite, by the route or the command', async () => {
    const opened = await openAs('invite')
    const made = [await invite(opened, { groups: ['player'] }), await invite(opened, { groups: ['player'] })]
    await opened.post('/api/admin/users', { email: 'boss@example.com', password, groups: ['admin'] })
    const demote = (permissions: string[]) => {
      opened.deps.permissions.replace({
        groups: [
          { name: 'player', permissions: [] },
          { name: 'mate', permissions },
        ],
        defaultGroups: [],
      })
      return opened.accountStore.change('admin@example.com', (found) => ({
        next: found && { ...found, groups: ['mate'] },
        result: undefined,
      }))
    }
    await demote([])
    expect(await opened.post('/auth/register', { ...asks, invitation: made[0].code })).toMatchObject(
      refusal(403, 'invalid-invitation'),
    )
    await demote(['command.invite'])
    expect((await opened.post('/auth/register', { ...asks, invitation: made[0].code })).status).toBe(204)
  })

  it('creates no account after its hold on the invitation expires', async () => {
    const opened = await openAs('invite')
    const { code } = await invite(opened)
    const { invitations } = opened.deps
    await expect(
      invitations.redeem(code, email, async (_groups, checkHeld) => {
        opened.clock.advance(30_001)
        checkHeld()
        return true
      }),
    ).rejects.toMatchObject({ slug: 'invalid-invitation' })
    expect((await opened.post('/auth/register', { ...asks, invitation: code })).status).toBe(204)
  })

  it('treats an invitation as used when its process died right after creating the account', async () => {
    const opened = await openAs('invite')
    const { code, id } = await invite(opened)
    const { invitationRecords } = await import('../../../shared/domain/auth/own-accounts/invitation.ts')
    const stored = await opened.store.get(invitationRecords, id)
    if (stored === undefined) throw new Error('the record is missing')
    expect((await opened.post('/auth/register', { ...asks, invitation: code })).status).toBe(204)
    await opened.store.put(invitationRecords, id, { ...stored.value, takenBy: email, takenAt: stored.value.at })
    opened.clock.advance(61_000)
    const other = { email: 'second@example.com', password, invitation: code }
    expect(await opened.post('/auth/register', other)).toMatchObject(refusal(403, 'invalid-invitation'))
    expect(await opened.store.get(invitationRecords, id)).toBeUndefined()
  })

  it('refuses expired, revoked and invalid invitations with the same detail', async () => {
    const opened = await openAs('invite')
    const [over, gone] = [await invite(opened), await invite(opened)]
    expect((await opened.request('DELETE', `/api/admin/invitations/${gone.id}`)).status).toBe(204)
    const tried = [gone.code, `${over.id}.${'x'.repeat(43)}`, over.id, '', '..', 'x']
    const answers = []
    for (const invitation of tried) answers.push(await opened.post('/auth/register', { ...asks, invitation }))
    opened.clock.advance(7 * dayMs + 1)
    answers.push(await opened.post('/auth/register', { ...asks, invitation: over.code }))
    for (const answer of answers) expect(answer).toMatchObject(refusal(403, 'invalid-invitation'))
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
    expect(await opened.accountStore.findByEmail(email)).toBeUndefined()
  })

  it('refuses invitations without end, with a past end, or into invalid groups', async () => {
    const opened = await openAs('invite')
    const at = (ms: number) => new Date(opened.clock.now() + ms).toISOString()
    for (const until of [at(-1000), at(0), at(91 * dayMs)])
      expect(await opened.post('/api/admin/invitations', { until })).toMatchObject(refusal(422, 'rule-broken'))
    expect(await opened.post('/api/admin/invitations', { groups: ['nobody'] })).toMatchObject(refusal(422, 'unknown-group'))
    expect(await opened.post('/api/admin/invitations', { until: 'never' })).toMatchObject({ status: 400 })
    expect(await opened.request('DELETE', '/api/admin/invitations/none')).toMatchObject(refusal(404, 'not-found'))
  })
})

describe.each(doors)('a reset link through %s', (_name, open) => {
  const openReset = async () => {
    const opened = await open({ routes, as: 'admin', configs: withRegistration('off') })
    const make = async () => (await opened.post('/api/admin/users/player%40example.com/reset-link')).body.code as string
    const use = (code: string, next = password) => opened.post('/auth/reset', { code, password: next })
    return { opened, make, use }
  }

  it('sets a password once, and ends every sign-in of the account', async () => {
    const { opened, make, use } = await openReset()
    const token = (await opened.issueToken('player')) ?? ''
    const code = await make()
    const answer = await use(code)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await opened.get('/auth/me', { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await opened.post('/auth/login', { email: 'player@example.com', password })).status).toBe(200)
    expect(await use(code, 'a third horse of mine')).toMatchObject(refusal(403, 'invalid-reset-link'))
    const audited = JSON.stringify((await opened.deps.audit.listEntries({ limit: 50 })).entries)
    expect(audited).toContain('account.reset-link')
    expect(audited).not.toContain(code.split('.')[1])
  })

  it('works once for two concurrent requests', async () => {
    const { make, use } = await openReset()
    const code = await make()
    const answers = await Promise.all([use(code, 'one horse of mine'), use(code, 'two horses of mine')])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403])
  })

  it('is refused after a day, after another link or a new password, and with a wrong code', async () => {
    const { opened, make, use } = await openReset()
    const first = await make()
    const second = await make()
    expect(await use(first)).toMatchObject(refusal(403, 'invalid-reset-link'))
    expect(await use(second, 'short')).toMatchObject({ status: 400 })
    const third = await make()
    for (const code of ['', 'x', `${third}x`, third.split('.')[0] ?? '', `${third}.`])
      expect(await use(code)).toMatchObject(refusal(403, 'invalid-reset-link'))
    const changed = await opened.request('PUT', '/api/admin/users/player%40example.com', {
      body: { password: 'set by an admin' },
    })
    expect(changed.status).toBe(200)
    expect(await use(third)).toMatchObject(refusal(403, 'invalid-reset-link'))
    const fourth = await make()
    opened.clock.advance(dayMs + 1)
    expect(await use(fourth)).toMatchObject(refusal(403, 'invalid-reset-link'))
  })

  it('is refused while its maker lacks the permission, or the account exceeds it', async () => {
    const { opened, make, use } = await openReset()
    const become = (who: string, ...groups: string[]) =>
      opened.accountStore.change(who, (found) => ({ next: found && { ...found, groups }, result: undefined }))
    await become('admin@example.com', 'clerk', 'player')
    const code = await make()
    await become('player@example.com', 'admin')
    expect(await use(code)).toMatchObject(refusal(403, 'invalid-reset-link'))
    await become('player@example.com', 'player')
    await become('admin@example.com', 'player')
    expect(await use(code)).toMatchObject(refusal(403, 'invalid-reset-link'))
    await become('admin@example.com', 'clerk', 'player')
    expect((await use(code)).status).toBe(204)
  })

  it('answers 404 for a missing account', async () => {
    const { opened } = await openReset()
    expect(await opened.post('/api/admin/users/nobody%40example.com/reset-link')).toMatchObject(refusal(404, 'not-found'))
  })
})
