import { describe, expect, it } from '@jest/globals'
import { operator } from '../../support/accounts/account-fixture.ts'
import { openZoneDoor } from '../../support/zones/zone-door.ts'
import { doors } from '../doors.ts'

const future = '2999-01-01T00:00:00.000Z'

describe.each(doors)('a zone with rules, members and a schedule, through %s', (_name, openDoor) => {
  it('stores each of them as a whole, and audits each', async () => {
    const opened = await openZoneDoor(openDoor)
    const { zone } = await opened.addZone()
    const path = `/api/admin/instances/${zone.id}`
    const lastEntry = async () => (await opened.deps.audit.listEntries({ limit: 200, target: zone.id })).entries
    const rules = { build: 'members', enter: 'members', greeting: 'Welcome.', farewell: 'Bye.' }
    expect((await opened.put(`${path}/rules`, rules)).body).toMatchObject({ rules })
    expect((await opened.put(`${path}/rules`, { build: 'nobody' })).body.rules).toEqual({ build: 'nobody', enter: 'everyone' })
    const members = [await opened.addAccount('ann'), await opened.addAccount('bob')].sort()
    const [first = '', second = ''] = members
    expect((await opened.put(`${path}/members`, [second.toUpperCase(), first, second])).body.members).toEqual(members)
    const schedule = { opensAt: '2030-01-01T00:00:00Z', closesAt: '2031-01-01T00:00:00.000Z', expiresAt: future }
    expect((await opened.put(`${path}/schedule`, schedule)).body).toMatchObject({
      ...schedule,
      opensAt: '2030-01-01T00:00:00.000Z',
    })
    const weekly = { hours: [{ days: ['fri', 'sat'], from: '18:00', to: '02:00' }], timeZone: 'Europe/Berlin' }
    expect((await opened.put(`${path}/schedule`, weekly)).body).toMatchObject(weekly)
    const without = (await opened.put(`${path}/schedule`, { expiresAt: future })).body
    expect([without.hours, without.timeZone]).toEqual([undefined, undefined])
    expect([without.opensAt, without.closesAt, without.expiresAt]).toEqual([undefined, undefined, future])
    const entries = await lastEntry()
    const of = (key: string) => entries.filter(({ after }) => Object.hasOwn(after as object, key))
    expect([of('rules').length > 0, of('members').length > 0, of('expiresAt').length > 0]).toEqual([true, true, true])
    expect((await opened.get(path)).body).toEqual(without)
  })

  it('refuses invalid ones', async () => {
    const opened = await openZoneDoor(openDoor)
    const { zone } = await opened.addZone()
    const path = `/api/admin/instances/${zone.id}`
    const bad: readonly (readonly [string, unknown, number])[] = [
      ['rules', { build: 'anybody' }, 400],
      ['rules', { greeting: '' }, 400],
      ['rules', { greeting: '\u001b[2J' }, 400],
      ['rules', { greeting: 'x'.repeat(201) }, 400],
      ['rules', [], 400],
      ['members', {}, 400],
      ['members', [1], 400],
      ['members', ['ann'], 400],
      ['members', ['ann@example.com'], 400],
      ['members', Array.from({ length: 201 }, () => opened.deps.ids.uuid()), 400],
      ['members', [opened.deps.ids.uuid()], 422],
      ['schedule', { opensAt: 'soon' }, 400],
      ['schedule', { closesAt: '9999-12-31T23:59:59-12:00' }, 400],
      ['schedule', { opensAt: '2016-12-31T23:59:60Z' }, 400],
      ['schedule', { opensAt: future, closesAt: '2998-01-01T00:00:00.000Z' }, 422],
      ['schedule', { expiresAt: '2001-01-01T00:00:00.000Z' }, 422],
      ['schedule', { reset: { snapshot: zone.id } }, 400],
      ['schedule', { reset: { snapshot: zone.id, every: 'daily' } }, 400],
      ['schedule', { reset: { snapshot: zone.id, every: 'day at 24:00' } }, 400],
      ['schedule', { reset: { snapshot: zone.id, every: 'day at 06:00 Europe/Nowhere' } }, 422],
      ['schedule', { reset: { snapshot: zone.id, every: 'day at 06:00 +01:00' } }, 400],
      ['schedule', { timeZone: 'Europe/Nowhere' }, 422],
      ['schedule', { hours: [] }, 400],
      ['schedule', { hours: [{ days: ['monday'], from: '18:00', to: '23:00' }] }, 400],
      ['schedule', { hours: [{ days: ['mon'], from: '6 pm', to: '23:00' }] }, 400],
      ['schedule', { hours: [{ days: ['mon'], from: '18:00' }] }, 400],
      ['schedule', { reset: { snapshot: zone.id, every: '1d' } }, 422],
    ]
    for (const [part, body, status] of bad)
      expect([part, body, (await opened.put(`${path}/${part}`, body)).status]).toEqual([part, body, status])
    for (const rawBody of ['', '{', '[1,]', '"\\ud800"']) {
      const sent = { rawBody, headers: { 'content-type': 'application/json' } }
      expect([rawBody, (await opened.request('PUT', `${path}/members`, sent)).status]).toEqual([rawBody, 400])
    }
    expect((await opened.get(path)).body).not.toHaveProperty('rules')
  })

  it('names unknown playerIds of new members, and keeps members with a deleted account', async () => {
    const opened = await openZoneDoor(openDoor)
    const { zone } = await opened.addZone()
    const path = `/api/admin/instances/${zone.id}/members`
    const ann = await opened.addAccount('ann')
    await opened.put(path, [ann])
    await opened.deps.accounts.removeAccount(operator, 'ann@example.com')
    const { playerId } = opened.people.player
    const refused = await opened.put(path, [ann, playerId, opened.deps.ids.uuid()])
    expect(refused).toMatchObject({ status: 422, body: { type: '/problems/rule-broken', errors: [{ pointer: '/2' }] } })
    expect((await opened.put(path, [ann, playerId])).body.members).toEqual([ann, playerId].sort())
  })

  it('accepts no new greeting or farewell from muted users, and keeps the current ones', async () => {
    const opened = await openZoneDoor(openDoor)
    const { zone } = await opened.addZone()
    const path = `/api/admin/instances/${zone.id}/rules`
    await opened.put(path, { greeting: 'Welcome.' })
    await opened.deps.sanctions.impose(operator, { kind: 'mute', email: opened.people.admin.email, reason: 'shouting' })
    expect((await opened.put(path, { greeting: 'Welcome.', build: 'members' })).status).toBe(200)
    for (const rules of [{ greeting: 'Hear me!' }, { greeting: 'Welcome.', farewell: 'Hear me!' }])
      expect(await opened.put(path, rules)).toMatchObject({ status: 403, body: { type: '/problems/muted' } })
    expect((await opened.put(path, {})).status).toBe(200)
  })

  it('lets only its owner set rules and members with zone.own, and nothing else', async () => {
    const groups = [{ name: 'player', permissions: ['zone.own'] }]
    const opened = await openZoneDoor(openDoor, { configs: { groups: { groups } } })
    const { zone } = await opened.addZone()
    const path = `/api/admin/instances/${zone.id}`
    const headers = { authorization: `Bearer ${await opened.issueToken('player')}` }
    const put = async (part: string, body: unknown) => (await opened.put(`${path}/${part}`, body, headers)).status
    expect(await put('rules', { build: 'everyone' })).toBe(403)
    expect((await opened.put(`/api/admin/instances/${opened.deps.ids.uuid()}/rules`, {}, headers)).status).toBe(403)
    const own = { ...zone, id: opened.deps.ids.uuid(), yMin: 200, yMax: 220, owner: opened.people.player.playerId }
    await opened.zones.restoreZone({ email: 'x', via: 'http', requestId: 'x' } as never, own)
    const ownPath = `/api/admin/instances/${own.id}`
    for (const [part, body, status] of [
      ['rules', { build: 'everyone' }, 200],
      ['members', [opened.people.admin.playerId], 200],
      ['schedule', {}, 403],
      ['enabled', { enabled: false }, 403],
    ] as const)
      expect([part, (await opened.put(`${ownPath}/${part}`, body, headers)).status]).toEqual([part, status])
  })
})
