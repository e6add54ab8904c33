import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { liveRoutes } from '../../../functions/live/routes.ts'
import { operator } from '../../support/accounts/account-fixture.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { openZoneDoor } from '../../support/zones/zone-door.ts'
import { doors } from '../doors.ts'

const routes = liveRoutes
const path = '/api/admin/announcements'

describe.each(doors)(`POST ${path} through %s`, (_name, open) => {
  it('is audited, and sent to every node', async () => {
    const { post, events, deps } = await open({ routes, as: 'admin' })
    const delivered: unknown[] = []
    await events.subscribe('announced', (event) => void delivered.push(event))
    expect((await post(path, { text: 'restart at six' })).status).toBe(204)
    await waitFor(() => delivered.length > 0)
    expect(delivered).toEqual([{ text: 'restart at six' }])
    const { entries } = await deps.audit.listEntries({ limit: 5 })
    expect(entries).toMatchObject([
      { action: 'announcement', target: 'everybody', after: { text: 'restart at six' }, via: 'http' },
    ])
  })

  it('removes open overrides and stacked marks, and refuses a line of nothing else', async () => {
    const { post, events, deps } = await open({ routes, as: 'admin' })
    const delivered: unknown[] = []
    await events.subscribe('announced', (event) => void delivered.push(event))
    const text = `re\u202estart Z${'\u0335'.repeat(40)}`
    const shown = `restart Z${'\u0335'.repeat(8)}`
    expect((await post(path, { text })).status).toBe(204)
    await waitFor(() => delivered.length > 0)
    expect(delivered).toEqual([{ text: shown }])
    expect((await deps.audit.listEntries({ limit: 1 })).entries).toMatchObject([{ after: { text: shown } }])
    expect(await post(path, { text: '\u202e' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/text' }] } })
    expect(delivered).toHaveLength(1)
  })

  it.each([[{}], [{ text: '' }], [{ text: 'two\nlines' }], [{ text: 'x'.repeat(501) }], [{ text: 7 }], [{ text: 'a', to: 'b' }]])(
    'answers 400 to %j and sends nothing',
    async (body) => {
      const { post, deps } = await open({ routes, as: 'admin' })
      expect(await post(path, body)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
      expect((await deps.audit.listEntries({ limit: 1 })).entries).toEqual([])
    },
  )

  it('answers 403 to muted users, and so does a message to a player', async () => {
    const { post, deps, people } = await open({ routes, as: 'admin' })
    await deps.sanctions.impose(operator, { kind: 'mute', email: people.admin.email, reason: 'shouting' })
    for (const answer of [await post(path, { text: 'hear me' }), await post('/api/admin/players/x/message', { text: 'hear me' })])
      expect(answer).toMatchObject({
        status: 403,
        body: { type: '/problems/muted', detail: expect.stringContaining('shouting') },
      })
    expect((await deps.audit.listEntries({ limit: 5 })).entries.map(({ action }) => action)).not.toContain('announcement')
  })

  it('names the world and the zone in the event and the audit entry', async () => {
    const { post, addZone, events, deps } = await openZoneDoor(open, { routes, as: 'admin' })
    const { zone } = await addZone({ world: 'north' })
    const delivered: unknown[] = []
    await events.subscribe('announced', (event) => void delivered.push(event))
    const places = [{ world: 'north' }, { zone: zone.id }, { world: 'north', zone: zone.id }]
    for (const place of places) expect((await post(path, { text: 'hello', ...place })).status).toBe(204)
    await waitFor(() => delivered.length === 3)
    expect(delivered).toEqual(places.map((place) => ({ text: 'hello', ...place })))
    const entries = (await deps.audit.listEntries({ limit: 10 })).entries.filter(({ action }) => action === 'announcement')
    expect(entries.map(({ target, after }) => [target, after])).toEqual(
      expect.arrayContaining([
        ['north', { text: 'hello', world: 'north' }],
        [zone.id, { text: 'hello', zone: zone.id }],
      ]),
    )
  })

  it('answers 422 to an unknown world, an unknown zone, and a zone of another world', async () => {
    const { post, addZone, deps } = await openZoneDoor(open, { routes, as: 'admin' })
    const { zone } = await addZone({ world: 'north' })
    const refused = [
      [{ world: 'nowhere' }, '/world'],
      [{ zone: randomUUID() }, '/zone'],
      [{ world: 'default', zone: zone.id }, '/zone'],
    ] as const
    for (const [place, pointer] of refused)
      expect(await post(path, { text: 'hello', ...place })).toMatchObject({
        status: 422,
        body: { type: '/problems/rule-broken', errors: [{ pointer }] },
      })
    expect((await post(path, { text: 'hello', zone: 'town' })).status).toBe(400)
    expect((await deps.audit.listEntries({ limit: 9 })).entries.map(({ action }) => action)).not.toContain('announcement')
  })

  it('accepts a grant of a world or a zone for that place only', async () => {
    const { post, addZone, accountStore, people } = await openZoneDoor(open, { routes, as: 'admin' })
    const { zone } = await addZone({ world: 'north' })
    const other = await addZone({ name: 'Other', chunks: [{ cx: 1, cz: 1 }] })
    const hold = (place: object) =>
      accountStore.change(people.admin.email, (current) => ({
        result: undefined,
        next: current && {
          ...current,
          groups: ['player'],
          grants: [{ id: 'one', by: 'operator', at: current.createdAt, permission: 'admin.announcements.write', ...place }],
        },
      }))
    const statusOf = async (place: object) => (await post(path, { text: 'hello', ...place })).status
    await hold({ zone: zone.id })
    expect([await statusOf({ zone: zone.id }), await statusOf({ world: 'north', zone: zone.id })]).toEqual([204, 204])
    for (const place of [{}, { zone: other.zone.id }, { world: 'north' }])
      expect([place, await statusOf(place)]).toEqual([place, 403])
    await hold({ world: 'north' })
    expect([await statusOf({ world: 'north' }), await statusOf({ world: 'north', zone: zone.id })]).toEqual([204, 204])
    for (const place of [{}, { world: 'default' }, { zone: other.zone.id }])
      expect([place, await statusOf(place)]).toEqual([place, 403])
    expect(await statusOf({ world: 'north', zone: other.zone.id })).toBe(422)
  })

  it('answers 403 to a player, and names the permission', async () => {
    const { post } = await open({ routes, as: 'player' })
    const answer = await post(path, { text: 'free cake' })
    expect(answer).toMatchObject({ status: 403, body: { type: '/problems/missing-permission' } })
    expect(answer.body.detail).toContain('admin.announcements.write')
  })
})
