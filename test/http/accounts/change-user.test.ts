import { describe, expect, it } from '@jest/globals'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { undoRoutes } from '../../../functions/undo/routes.ts'
import { operatorRules } from '../../../shared/domain/permissions/operator-rules.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { doors, type OpenDoor } from '../doors.ts'

const routes = [...accountRoutes, ...authRoutes]
const password = 'correct horse battery'
const player = '/api/admin/users/player@example.com'
const admin = '/api/admin/users/admin@example.com'
const stale = { status: 412, body: { type: '/problems/stale' } }

/** The headers of a user who can only manage users. */
const asClerk = async ({ accountStore, tokens, people, clock }: OpenDoor) => {
  const clerk = { ...people.player, email: 'clerk@example.com', playerId: systemIds.uuid(), groups: ['clerk'] }
  await accountStore.change(clerk.email, () => ({ next: clerk, result: undefined }))
  const { playerId } = clerk
  const token = await tokens.issue({ playerId, verified: true, signInId: 'one', signedInAt: clock.now() })
  return { authorization: `Bearer ${token}` }
}

describe.each(doors)('PUT /api/admin/users/{email} through %s', (_name, open) => {
  it('changes the given fields and answers the account with its new tag', async () => {
    const { put, get, accountStore, people } = await open({ routes, as: 'admin' })
    const before = (await get(player)).headers.etag
    const answer = await put(player, { displayName: ' Ann ', groups: ['clerk'] })
    expect(answer).toMatchObject({ status: 200, body: { displayName: 'Ann', groups: ['clerk'], hasPassword: true } })
    expect(answer.headers.etag).not.toBe(before)
    expect(answer.headers.etag).toBe((await get(player)).headers.etag)
    expect(await accountStore.findByEmail('player@example.com')).toEqual({
      ...people.player,
      displayName: 'Ann',
      groups: ['clerk'],
    })
  })

  it('moves an account to another email with its tokens and sanctions, and undo moves it back', async () => {
    const { put, get, post, people, issueToken, deps } = await open({ routes: [...routes, ...undoRoutes], as: 'admin' })
    const token = await issueToken('player')
    const actor = { ...people.admin, rules: operatorRules, verified: true, via: 'http' as const, requestId: 'r' }
    const input = { kind: 'mute' as const, email: 'player@example.com', reason: 'loud' }
    const { id } = await deps.sanctions.impose(actor, input)
    const answer = await put(player, { email: ' Ann@Example.org', displayName: 'Ann' })
    expect(answer).toMatchObject({ status: 200, body: { email: 'ann@example.org', displayName: 'Ann' } })
    expect((await get(player)).status).toBe(404)
    const moved = await get('/api/admin/users/ann@example.org')
    expect(moved.headers.etag).toBe(answer.headers.etag)
    expect((await get('/auth/me', { authorization: `Bearer ${token}` })).status).toBe(200)
    const listed = async (email: string) =>
      (await deps.sanctions.listSanctions({ email, limit: 10 })).sanctions.map((one) => one.id)
    expect([await listed('player@example.com'), await listed('ann@example.org')]).toEqual([[], [id]])
    expect((await deps.sanctions.getSanction(id)).email).toBe('ann@example.org')
    const { entries } = await deps.audit.listEntries({ limit: 10, target: 'player@example.com' })
    const entry = entries.find(({ action }) => action === 'account.update')
    expect(entry).toMatchObject({ before: { email: 'player@example.com' }, after: { email: 'ann@example.org' } })
    expect(await post(`/api/admin/audit/${entry?.id}/undo`, {})).toMatchObject({ status: 200 })
    expect((await get(player)).body).toMatchObject({ email: 'player@example.com', displayName: 'player' })
    expect(await listed('player@example.com')).toEqual([id])
  })

  it('answers 409 to the email of another account and 400 to an invalid one, and changes nothing', async () => {
    const { put, accountStore, people } = await open({ routes, as: 'admin' })
    const taken = await put(player, { email: 'ADMIN@example.com', groups: [] })
    expect(taken).toMatchObject({ status: 409, body: { type: '/problems/already-exists', errors: [{ pointer: '/email' }] } })
    expect(await put(player, { email: 'nobody' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/email' }] } })
    expect(await put(player, { email: 'PLAYER@example.com' })).toMatchObject({ status: 200 })
    expect(await accountStore.findByEmail('player@example.com')).toEqual(people.player)
  })

  it('takes effect at the next request of an existing token', async () => {
    const { put, get, tokens, people, clock } = await open({ routes, as: 'admin' })
    const { playerId } = people.player
    const token = await tokens.issue({ playerId, verified: true, signInId: 'one', signedInAt: clock.now() })
    const ask = async () => (await get('/api/admin/users', { authorization: `Bearer ${token}` })).status
    expect(await ask()).toBe(403)
    await put(player, { groups: ['clerk'] })
    expect(await ask()).toBe(200)
    await put(player, { groups: [] })
    expect(await ask()).toBe(403)
  })

  it('sets a password that works, and revokes earlier tokens', async () => {
    const { put, post, get, issueToken } = await open({ routes, as: 'admin' })
    const token = await issueToken('player')
    expect((await put(player, { password })).status).toBe(200)
    expect((await get('/auth/me', { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await post('/auth/login', { email: 'player@example.com', password })).status).toBe(200)
  })

  it('writes with the current tag, and answers 412 to a stale tag', async () => {
    const { put, get, accountStore } = await open({ routes, as: 'admin' })
    const etag = (await get(player)).headers.etag ?? ''
    expect((await put(player, { displayName: 'A' }, { 'if-match': etag })).status).toBe(200)
    expect(await put(player, { displayName: 'B' }, { 'if-match': etag })).toMatchObject(stale)
    expect(await put(player, { displayName: 'B' }, { 'if-match': '"made-up"' })).toMatchObject(stale)
    expect((await accountStore.findByEmail('player@example.com'))?.displayName).toBe('A')
    expect((await put(player, { displayName: 'B' }, { 'if-match': '*' })).status).toBe(200)
  })

  it('accepts one of several concurrent writes with the same tag', async () => {
    const { put, get } = await open({ routes, as: 'admin' })
    const etag = (await get(player)).headers.etag ?? ''
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((displayName) => put(player, { displayName }, { 'if-match': etag })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
  })

  it.each([
    [{ displayName: '' }, 400, 'bad-request', '/displayName'],
    [{ displayName: 'x'.repeat(33) }, 400, 'bad-request', '/displayName'],
    [{ groups: [1] }, 400, 'bad-request', '/groups/0'],
    [{ groups: null }, 400, 'bad-request', '/groups'],
    [{ password: 'short' }, 400, 'bad-request', '/password'],
    [{ password: null }, 400, 'bad-request', '/password'],
    [{ playerId: 'x' }, 400, 'bad-request', '/playerId'],
    [{ groups: ['nope', 'player'] }, 422, 'unknown-group', '/groups/0'],
  ])('refuses %j and changes nothing', async (body, status, slug, pointer) => {
    const { put, accountStore, people } = await open({ routes, as: 'admin' })
    const answer = await put(player, body)
    expect(answer).toMatchObject({ status, body: { type: `/problems/${slug}` } })
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }))
    expect(await accountStore.findByEmail('player@example.com')).toEqual(people.player)
  })

  it('answers 404 to a missing account, and creates none', async () => {
    const { put, accountStore } = await open({ routes, as: 'admin' })
    expect(await put('/api/admin/users/nobody@example.com', { displayName: 'A' })).toMatchObject({
      status: 404,
      body: { type: '/problems/not-found' },
    })
    expect(await accountStore.findByEmail('nobody@example.com')).toBeUndefined()
  })

  it.each([
    [player, { groups: ['admin'] }],
    [admin, { displayName: 'Mallory' }],
    [admin, { password }],
    [admin, { groups: [] }],
    ['/api/admin/users/clerk@example.com', { groups: ['clerk', 'admin'] }],
  ])('refuses to exceed the permissions of the caller: %s %j', async (path, body) => {
    const opened = await open({ routes })
    const headers = await asClerk(opened)
    const before = await opened.accountStore.listAccounts({ limit: 10 })
    expect(await opened.put(path, body, headers)).toMatchObject({
      status: 403,
      body: { type: '/problems/beyond-own-permissions' },
    })
    expect(await opened.accountStore.listAccounts({ limit: 10 })).toEqual(before)
  })

  it('answers 409 when it would demote the last administrator', async () => {
    const { put, accountStore, people } = await open({ routes, as: 'admin' })
    expect(await put(admin, { groups: ['player'] })).toMatchObject({
      status: 409,
      body: { type: '/problems/last-administrator' },
    })
    expect(await accountStore.findByEmail('admin@example.com')).toEqual(people.admin)
  })
})

describe.each(doors)('DELETE /api/admin/users/{email} through %s', (_name, open) => {
  it('answers 204 and removes the account and its tokens', async () => {
    const { del, get, issueToken } = await open({ routes, as: 'admin' })
    const token = await issueToken('player')
    expect(await del(player)).toMatchObject({ status: 204, body: undefined })
    expect((await get(player)).status).toBe(404)
    expect((await get('/auth/me', { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await del(player)).status).toBe(404)
  })

  it('answers 412 to a stale tag, and deletes with the current one', async () => {
    const { del, get, put } = await open({ routes, as: 'admin' })
    const etag = (await get(player)).headers.etag ?? ''
    await put(player, { displayName: 'A' })
    expect(await del(player, { 'if-match': etag })).toMatchObject(stale)
    const fresh = (await get(player)).headers.etag ?? ''
    expect((await del(player, { 'if-match': fresh })).status).toBe(204)
  })

  it('answers 403 beyond one’s own permissions, and 409 for the last administrator', async () => {
    const opened = await open({ routes, as: 'admin' })
    const { del, accountStore, people } = opened
    const clerk = await asClerk(opened)
    expect(await del(admin, clerk)).toMatchObject({ status: 403, body: { type: '/problems/beyond-own-permissions' } })
    await accountStore.change('clerk@example.com', () => ({ next: undefined, result: undefined }))
    expect(await del(admin)).toMatchObject({ status: 409, body: { type: '/problems/last-administrator' } })
    expect(await accountStore.findByEmail('admin@example.com')).toEqual(people.admin)
  })
})
