import { describe, expect, it } from '@jest/globals'
import { doors } from '../doors.ts'

const email = 'player@example.com'
const path = `/api/admin/users/${email}/grants`
const slugOf = ({ body }: { body: { type: string } }) => body.type.replace('/problems/', '')
const never = '2999-01-01T00:00:00.000Z'

const clerkAlone = { groups: [{ name: 'clerk', permissions: ['admin.users.*'] }] }

describe.each(doors)('grants through %s', (_name, open) => {
  it('are created, shown with the account, audited and deleted', async () => {
    const { post, get, del } = await open({ as: 'admin' })
    const made = await post(path, { group: 'player', until: never, reason: ' the weekend ' })
    expect(made).toMatchObject({
      status: 201,
      body: { group: 'player', until: never, reason: 'the weekend', by: 'admin@example.com' },
    })
    expect(made.headers.location).toBe(`${path.replace('@', '%40')}/${made.body.id}`)
    expect((await get(`/api/admin/users/${email}`)).body.grants).toEqual([made.body])
    const { body } = await get(`/api/admin/audit?target=${email}&limit=1`)
    expect(body.entries[0]).toMatchObject({ action: 'account.update', after: { grants: [made.body] } })
    expect(body.entries[0].before.grants).toBeUndefined()
    expect((await del(`${path}/${made.body.id}`)).status).toBe(204)
    expect((await get(`/api/admin/users/${email}`)).body.grants).toBeUndefined()
    expect((await del(`${path}/${made.body.id}`)).status).toBe(404)
  })

  it('are created and deleted only with the current tag of the account', async () => {
    const { request, get, post } = await open({ as: 'admin' })
    const etagNow = async () => (await get(`/api/admin/users/${email}`)).headers.etag ?? ''
    const read = await etagNow()
    const made = await post(path, { group: 'player', until: never }, { 'if-match': read })
    expect(made.status).toBe(201)
    const late = await post(path, { permission: 'world.fly' }, { 'if-match': read })
    expect([late.status, slugOf(late)]).toEqual([412, 'stale'])
    const take = (etag: string) => request('DELETE', `${path}/${made.body.id}`, { headers: { 'if-match': etag } })
    expect((await take(read)).status).toBe(412)
    expect((await take(await etagNow())).status).toBe(204)
  })

  it.each([
    [{}, 422, 'rule-broken'],
    [{ group: 'builder', permission: 'world.build' }, 422, 'rule-broken'],
    [{ group: 'ghosts' }, 422, 'unknown-group'],
    [{ permission: 'zone.buld' }, 422, 'unknown-permission'],
    [{ permission: 'shop.*' }, 422, 'unknown-permission'],
    [{ permission: 'module.shop.sell' }, 422, 'unknown-permission'],
    [{ permission: 'command.msg' }, 422, 'unknown-permission'],
    [{ permission: '-world.build' }, 400, 'bad-request'],
    [{ permission: 'World.Build' }, 400, 'bad-request'],
    [{ permission: 'world.build', until: '2020-01-01T00:00:00Z' }, 422, 'rule-broken'],
    [{ permission: 'world.build', until: '2016-12-31T23:59:60Z' }, 400, 'bad-request'],
    [{ permission: 'world.build', until: 'never' }, 400, 'bad-request'],
    [{ permission: 'world.build', until: '10m' }, 400, 'bad-request'],
    [{ permission: 'world.build', world: 'nowhere' }, 422, 'rule-broken'],
    [{ permission: 'world.build', zone: '00000000-0000-4000-8000-000000000009' }, 422, 'rule-broken'],
    [{ permission: 'world.build', zone: 'Town' }, 400, 'bad-request'],
    [{ permission: 'world.build', reason: 'x'.repeat(501) }, 400, 'bad-request'],
    [{ permission: 'world.build', by: 'me' }, 400, 'bad-request'],
  ])('refuses %j with %s, and changes nothing', async (body, status, slug) => {
    const { post, get } = await open({ as: 'admin' })
    const answer = await post(path, body)
    expect([answer.status, slugOf(answer)]).toEqual([status, slug])
    expect((await get(`/api/admin/users/${email}`)).body.grants).toBeUndefined()
  })

  it('with an unknown permission or group get a suggestion of the nearest name', async () => {
    const { post } = await open({ as: 'admin' })
    const message = 'Unknown permission `zone.buld`. Did you mean `zone.build`?'
    expect((await post(path, { permission: 'zone.buld' })).body).toMatchObject({
      detail: message,
      errors: [{ pointer: '/permission', message }],
    })
    expect((await post(path, { group: 'clrk' })).body.detail).toBe('Unknown group `clrk`. Did you mean `clerk`?')
    const users = await post('/api/admin/users', { email: 'new@example.com', password: 'long enough', groups: ['plyer'] })
    expect(users.body.detail).toBe('Unknown group `plyer`. Did you mean `player`?')
  })

  it('can have a default group that no file defines', async () => {
    const groups = { groups: [{ name: 'builder', permissions: ['zone.build'] }], defaultGroups: ['newcomer'] }
    const { post, put } = await open({ as: 'admin', configs: { groups } })
    expect((await post(path, { group: 'newcomer' })).status).toBe(201)
    expect((await put(`/api/admin/users/${email}`, { groups: ['newcomer'] })).status).toBe(200)
  })

  it.each([
    [{ permission: 'admin.configs.write' }, 'opens nothing that is done in a world alone'],
    [{ permission: 'game.join' }, 'is needed before a player is at any place'],
    [{ group: 'clerk' }, 'no permission of `clerk` counts in a world alone'],
  ])('refuse %j for a world, where it has no effect', async (what, reason) => {
    const door = await open({ as: 'admin', configs: { groups: clerkAlone } })
    expect((await door.post('/api/admin/worlds', { name: 'north' })).status).toBe(201)
    const { status, body } = await door.post(path, { ...what, world: 'north' })
    expect([status, body.type]).toEqual([422, '/problems/rule-broken'])
    expect(body.errors[0].message).toContain(reason)
    expect((await door.post(path, { permission: 'admin.*', world: 'north' })).status).toBe(201)
  })

  it('disappear from the list in the second of their end, with a new tag of the account', async () => {
    const { get, post, put, del, clock } = await open({ as: 'admin' })
    const until = new Date(clock.now() + 60_000).toISOString()
    const { body: ending } = await post(path, { permission: 'world.fly', until })
    const one = `/api/admin/users/${email}`
    const before = await get(one)
    clock.advance(59_999)
    expect((await get(one)).body.grants).toHaveLength(1)
    clock.advance(1)
    const after = await get(one)
    expect(after.body.grants).toBeUndefined()
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect((await get('/api/admin/users?q=player')).body.users).toMatchObject([{ email }])
    expect((await get('/api/admin/users?q=player')).body.users[0].grants).toBeUndefined()
    expect((await put(one, { displayName: 'Other' })).body.grants).toBeUndefined()
    expect((await del(`${path}/${ending.id}`)).status).toBe(404)
  })

  it('allow routes until they end by the clock', async () => {
    const { get, accountStore, people, clock } = await open({ as: 'admin' })
    const until = new Date(clock.now() + 60_000).toISOString()
    const { admin } = people
    const { email } = admin
    await accountStore.change(email, (current) => ({
      result: undefined,
      next: current && {
        ...current,
        groups: ['player'],
        grants: [{ id: 'minute', permission: 'admin.users.read', until, by: 'operator', at: current.createdAt }],
      },
    }))
    expect((await get('/api/admin/users')).status).toBe(200)
    clock.advance(59_999)
    expect((await get('/api/admin/users')).status).toBe(200)
    clock.advance(1)
    expect(await get('/api/admin/users')).toMatchObject({ status: 403, body: { type: '/problems/missing-permission' } })
  })
})
