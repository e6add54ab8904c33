import { describe, expect, it } from '@jest/globals'
import { newZone, openZoneDoor, zonesPath } from '../../support/zones/zone-door.ts'
import { squareOf, zoneEditor } from '../../support/zones/zone-fixture.ts'
import { doors } from '../doors.ts'

const unknown = '00000000-0000-4000-8000-000000000000'
const off = { enabled: false, flipped: false, pos: 0 }
const clipPlanes = { x: off, y: { enabled: true, flipped: true, pos: -12.5 }, z: off }
const layout = { clipPlanes, shortcutBarPages: [['stone', null, 'air'], []] }
const pagesOf = (count: number) => Array.from({ length: count }, () => [null])
const later = '2026-01-01T00:00:01.001Z'

/** Each way to change a zone: path, body, and bodies that it refuses. */
const changes = [
  {
    part: '',
    body: { name: ' Harbour ' },
    result: { name: 'Harbour' },
    bad: [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'x'.repeat(65) },
      { name: 'a\nb' },
      { name: 1 },
      { name: 'a', enabled: true },
      { owner: 'ann' },
      { owner: 'ann@example.com' },
      { owner: null },
      [],
      null,
    ],
  },
  {
    part: '/bounds',
    body: { yMin: 0, yMax: 255 },
    result: { yMin: 0, yMax: 255 },
    bad: [
      {},
      { yMin: 1 },
      { yMax: 1 },
      { yMin: -1, yMax: 5 },
      { yMin: 0, yMax: 256 },
      { yMin: 0.5, yMax: 5 },
      { yMin: '0', yMax: 5 },
      { yMin: 0, yMax: 1, name: 'a' },
    ],
  },
  {
    part: '/chunks',
    body: {
      chunks: [
        { cx: 2, cz: 1 },
        { cx: -1, cz: 3 },
      ],
    },
    result: {
      chunks: [
        { cx: -1, cz: 3 },
        { cx: 2, cz: 1 },
      ],
    },
    bad: [
      {},
      { chunks: [] },
      { chunks: squareOf(0, 0, 71).slice(0, 5000) },
      {
        chunks: [
          { cx: 0, cz: 0 },
          { cx: 0, cz: 0 },
        ],
      },
      { chunks: [{ cx: 0 }] },
      { chunks: [{ cx: 1e9, cz: 0 }] },
      { chunks: 'all' },
    ],
  },
  {
    part: '/enabled',
    body: { enabled: false },
    result: { enabled: false },
    bad: [{}, { enabled: 0 }, { enabled: 'false' }, { enabled: null }, { enabled: true, name: 'a' }],
  },
  {
    part: '/layout',
    body: layout,
    result: layout,
    bad: [
      {},
      { clipPlanes },
      { shortcutBarPages: [] },
      { clipPlanes: { x: off, y: off }, shortcutBarPages: [] },
      { clipPlanes: { x: off, y: off, z: off, w: off }, shortcutBarPages: [] },
      { clipPlanes: { ...clipPlanes, z: { ...off, pos: 'a' } }, shortcutBarPages: [] },
      { clipPlanes: { ...clipPlanes, z: { ...off, pos: null } }, shortcutBarPages: [] },
      { clipPlanes, shortcutBarPages: pagesOf(11) },
      { clipPlanes, shortcutBarPages: [Array.from({ length: 11 }, () => null)] },
      { clipPlanes, shortcutBarPages: [[1]] },
      { clipPlanes, shortcutBarPages: [['']] },
      { clipPlanes, shortcutBarPages: null },
    ],
  },
] as const

describe.each(doors)('through %s', (_name, openDoor) => {
  const open = (options?: Parameters<typeof openZoneDoor>[1]) => openZoneDoor(openDoor, options)

  describe.each(changes)('PUT /api/admin/instances/{id}$part', ({ part, body, result, bad }) => {
    it('answers the changed zone with its new tag, keeps the rest, and audits both states', async () => {
      const { put, get, addZone, clock, listAudit } = await open()
      const { zone, path, etag } = await addZone()
      clock.advance(1000)
      const answer = await put(path + part, body, { 'if-match': etag, 'x-request-id': 'mine' })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ...zone, ...result, updatedAt: later })
      expect(answer.headers.etag).not.toBe(etag)
      const read = await get(path)
      expect(read.body).toEqual(answer.body)
      expect(read.headers.etag).toBe(answer.headers.etag)
      const [entry, ...earlier] = await listAudit()
      expect(entry).toMatchObject({
        actor: 'admin@example.com',
        action: 'zone.update',
        target: zone.id,
        via: 'http',
        requestId: 'mine',
      })
      expect(entry?.after).toMatchObject(result)
      const keys = Object.keys(result)
      expect(entry?.before).toMatchObject(Object.fromEntries(Object.entries(zone).filter(([key]) => keys.includes(key))))
      expect(earlier).toHaveLength(1)
    })

    it('answers 400 to an invalid form, and changes nothing', async () => {
      const { put, addZone, deps, listAudit } = await open()
      const { zone, path } = await addZone()
      for (const sent of bad)
        expect({ sent, ...(await put(path + part, sent)) }).toMatchObject({
          sent,
          status: 400,
          body: { type: '/problems/bad-request' },
        })
      expect((await deps.zones.getZone(zone.id)).zone).toEqual(zone)
      expect(await listAudit()).toHaveLength(1)
    })

    it('answers 412 to a stale tag, and changes nothing', async () => {
      const { put, addZone, deps } = await open()
      const { zone, path, etag } = await addZone()
      for (const stale of [`"${unknown}"`, `W/${etag}`, '""'])
        expect(await put(path + part, body, { 'if-match': stale })).toMatchObject({
          status: 412,
          body: { type: '/problems/stale' },
        })
      expect((await deps.zones.getZone(zone.id)).zone).toEqual(zone)
      expect((await put(path + part, body, { 'if-match': '*' })).status).toBe(200)
    })

    it('accepts one of two concurrent writes of the same state', async () => {
      const { put, addZone } = await open()
      const { path, etag } = await addZone()
      const enable = put(`${path}/enabled`, { enabled: false }, { 'if-match': etag })
      const rename = put(path, { name: 'Other' }, { 'if-match': etag })
      expect((await Promise.all([enable, rename])).map(({ status }) => status).sort()).toEqual([200, 412])
    })

    it('answers 404 to an unknown id, and 400 to an invalid one', async () => {
      const { put } = await open()
      expect((await put(`${zonesPath}/${unknown}${part}`, body)).status).toBe(404)
      expect((await put(`${zonesPath}/town${part}`, body)).status).toBe(400)
    })

    it.each([
      ['nobody', 401, 'not-signed-in'],
      ['player', 403, 'missing-permission'],
      ['unverified-admin', 403, 'password-sign-in-needed'],
    ] as const)('refuses %s and changes nothing', async (as, status, slug) => {
      const { put, addZone, deps } = await open({ as })
      const { zone, path } = await addZone()
      expect(await put(path + part, body)).toMatchObject({ status, body: { type: `/problems/${slug}` } })
      expect((await deps.zones.getZone(zone.id)).zone).toEqual(zone)
    })
  })

  it.each([
    ['/bounds', { yMin: 20, yMax: 20 }, 'rule-broken', ['/yMin']],
    ['/bounds', { yMin: 9, yMax: 0 }, 'rule-broken', ['/yMin']],
    [
      '/chunks',
      {
        chunks: [
          { cx: 0, cz: 0 },
          { cx: 4, cz: 0 },
        ],
      },
      'chunks-not-generated',
      ['/chunks/1'],
    ],
    [
      '/layout',
      { clipPlanes, shortcutBarPages: [['stone'], [null, 'cheese', 'unknown']] },
      'rule-broken',
      ['/shortcutBarPages/1/1', '/shortcutBarPages/1/2'],
    ],
  ] as const)('PUT %s answers 422 to %j and changes nothing', async (part, body, slug, pointers) => {
    const { put, addZone, deps, listAudit } = await open()
    const { zone, path } = await addZone()
    const errors = pointers.map((pointer) => ({ pointer }))
    expect(await put(path + part, body)).toMatchObject({ status: 422, body: { type: `/problems/${slug}`, errors } })
    expect((await deps.zones.getZone(zone.id)).zone).toEqual(zone)
    expect(await listAudit()).toHaveLength(1)
  })

  it.each([
    ['/bounds', { yMin: 30, yMax: 40 }],
    [
      '/chunks',
      {
        chunks: [
          { cx: 0, cz: 0 },
          { cx: 1, cz: 0 },
        ],
      },
    ],
  ] as const)('PUT %s answers 409 with the overlapping zone, and changes nothing', async (part, body) => {
    const { put, addZone, deps } = await open()
    await addZone({ name: 'Mine above', yMin: 40, yMax: 50 })
    await addZone({ name: 'Mine above', chunks: [{ cx: 1, cz: 0 }] })
    const { zone, path } = await addZone()
    const problem = { type: '/problems/zone-overlap', detail: expect.stringContaining('"Mine above"') }
    expect(await put(path + part, body)).toMatchObject({ status: 409, body: problem })
    expect((await deps.zones.getZone(zone.id)).zone).toEqual(zone)
  })

  it('PUT /layout answers 400 to a position beyond the number range', async () => {
    const { request, addZone, token } = await open()
    const { path } = await addZone()
    const rawBody = JSON.stringify({ clipPlanes, shortcutBarPages: [] }).replace('-12.5', '1e999')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    expect((await request('PUT', `${path}/layout`, { rawBody, headers })).status).toBe(400)
  })

  describe('DELETE /api/admin/instances/{id}', () => {
    it('answers 204, removes the zone, frees its columns and audits it', async () => {
      const { del, get, post, addZone, listAudit } = await open()
      const { zone, path, etag } = await addZone()
      expect(await del(path, { 'if-match': etag })).toMatchObject({ status: 204, text: '' })
      expect((await get(path)).status).toBe(404)
      expect((await del(path)).status).toBe(404)
      expect((await listAudit())[0]).toMatchObject({ action: 'zone.delete', target: zone.id, before: zone, after: null })
      expect((await post(zonesPath, newZone)).status).toBe(201)
    })

    it('answers 412 to a stale tag, and keeps the zone', async () => {
      const { del, put, addZone, deps } = await open()
      const { zone, path, etag } = await addZone()
      await put(`${path}/enabled`, { enabled: false })
      expect((await del(path, { 'if-match': etag })).status).toBe(412)
      expect((await deps.zones.getZone(zone.id)).zone.enabled).toBe(false)
    })

    it('answers 400 to an invalid id', async () => {
      const { del } = await open()
      expect((await del(`${zonesPath}/town`)).status).toBe(400)
    })

    it('answers 204 to one of many concurrent requests, and 404 to the others', async () => {
      const { del, addZone, listAudit } = await open()
      const { path } = await addZone()
      const statuses = (await Promise.all(Array.from({ length: 10 }, () => del(path)))).map(({ status }) => status)
      expect(statuses.sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
      expect(await listAudit()).toHaveLength(2)
    })

    it.each([
      ['nobody', 401],
      ['player', 403],
      ['unverified-admin', 403],
    ] as const)('refuses %s and keeps the zone', async (as, status) => {
      const { del, addZone, deps } = await open({ as })
      const { zone, path } = await addZone()
      expect((await del(path)).status).toBe(status)
      expect((await deps.zones.getZone(zone.id)).zone).toEqual(zone)
    })
  })
})

describe.each(doors)('the owner of a zone through %s', (_name, openDoor) => {
  it('can be changed, alone or with the name, to an existing account', async () => {
    const opened = await openZoneDoor(openDoor)
    const { zone, path, etag } = await opened.addZone()
    const { playerId } = opened.people.player
    const changed = await opened.put(path, { owner: playerId.toUpperCase() }, { 'if-match': etag })
    expect(changed).toMatchObject({ status: 200, body: { name: zone.name, owner: playerId } })
    expect((await opened.listAudit())[0]).toMatchObject({ before: { owner: zone.owner }, after: { owner: playerId } })
    const both = { name: 'Harbour', owner: opened.people.admin.playerId }
    expect((await opened.put(path, both)).body).toMatchObject(both)
    const refused = await opened.put(path, { name: 'Never', owner: unknown })
    expect(refused).toMatchObject({ status: 422, body: { type: '/problems/rule-broken', errors: [{ pointer: '/owner' }] } })
    expect((await opened.get(path)).body).toMatchObject(both)
  })

  it('is marked as gone once the account is deleted, in every answer and in the tag', async () => {
    const opened = await openZoneDoor(openDoor)
    const { path } = await opened.addZone()
    const ann = await opened.addAccount('ann')
    const before = await opened.put(path, { owner: ann })
    expect(before.body).not.toHaveProperty('ownerGone')
    await opened.deps.accounts.removeAccount(zoneEditor, 'ann@example.com')
    const read = await opened.get(path)
    expect(read.body).toMatchObject({ owner: ann, ownerGone: true })
    expect(read.headers.etag).not.toBe(before.headers.etag)
    expect((await opened.get(zonesPath)).body).toMatchObject([{ owner: ann, ownerGone: true }])
    const renamed = await opened.put(path, { name: 'Ruin', owner: ann }, { 'if-match': read.headers.etag ?? '' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Ruin', ownerGone: true } })
    const given = await opened.put(path, { owner: opened.people.admin.playerId })
    expect(given.body).not.toHaveProperty('ownerGone')
  })
})
