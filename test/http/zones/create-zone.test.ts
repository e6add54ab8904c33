import { describe, expect, it } from '@jest/globals'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { newZone, openZoneDoor, zonesPath as path } from '../../support/zones/zone-door.ts'
import { generateColumns, squareOf } from '../../support/zones/zone-fixture.ts'
import { doors } from '../doors.ts'

const off = { enabled: false, flipped: false, pos: 0 }
const without = (key: string) => Object.fromEntries(Object.entries(newZone).filter(([name]) => name !== key))

describe.each(doors)('POST /api/admin/instances through %s', (_name, openDoor) => {
  const open = (options?: Parameters<typeof openZoneDoor>[1]) => openZoneDoor(openDoor, options)

  it('answers 201 with the zone, its address and its tag, and audits it', async () => {
    const { post, get, people, listAudit } = await open()
    const { status, body, headers } = await post(path, { ...newZone, name: ' Town ' }, { 'x-request-id': 'mine' })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...newZone,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      world: 'default',
      enabled: true,
      clipPlanes: { x: off, y: off, z: off },
      shortcutBarPages: [],
      owner: people.admin.playerId,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(headers.location).toBe(`${path}/${body.id}`)
    const read = await get(headers.location ?? '')
    expect(read).toMatchObject({ status: 200, body })
    expect(read.headers.etag).toBe(headers.etag)
    expect(await listAudit()).toMatchObject([
      {
        actor: 'admin@example.com',
        action: 'zone.create',
        target: body.id,
        before: null,
        after: body,
        via: 'http',
        requestId: 'mine',
      },
    ])
  })

  it('accepts a world other than the active one, and sorts the columns', async () => {
    const { post } = await open()
    const chunks = [
      { cx: 2, cz: -1 },
      { cx: -3, cz: 3 },
      { cx: 2, cz: -2 },
    ]
    const { body } = await post(path, { ...newZone, world: 'north', chunks })
    expect(body).toMatchObject({ world: 'north', chunks: [chunks[1], chunks[2], chunks[0]] })
  })

  it('accepts 4,096 columns', async () => {
    const { post, ...fixture } = await open()
    const chunks = squareOf(0, 0, 64)
    await generateColumns(fixture, chunks)
    expect(await post(path, { ...newZone, chunks, yMin: 0, yMax: 255 })).toMatchObject({ status: 201, body: { chunks } })
  })

  it.each([
    {},
    [],
    'zone',
    without('name'),
    without('yMin'),
    without('yMax'),
    without('chunks'),
    { ...newZone, id: '1f7a3d9e-6a3d-4a52-8c61-5b7f0f0f2c11' },
    { ...newZone, enabled: true },
    { ...newZone, owner: 'me' },
    { ...newZone, name: '' },
    { ...newZone, name: ' \t ' },
    { ...newZone, name: 'x'.repeat(65) },
    { ...newZone, name: 'a\u0007b' },
    { ...newZone, name: 7 },
    { ...newZone, yMin: -1 },
    { ...newZone, yMax: 256 },
    { ...newZone, yMin: 1.5 },
    { ...newZone, yMin: '1' },
    { ...newZone, yMin: null },
    { ...newZone, chunks: [] },
    { ...newZone, chunks: {} },
    { ...newZone, chunks: [{ cx: 0 }] },
    { ...newZone, chunks: [{ cx: 0, cz: 0, cy: 0 }] },
    { ...newZone, chunks: [{ cx: 0.5, cz: 0 }] },
    { ...newZone, chunks: [{ cx: 1_875_000, cz: 0 }] },
    { ...newZone, chunks: [{ cx: 0, cz: -1_875_001 }] },
    { ...newZone, chunks: [[0, 0]] },
    {
      ...newZone,
      chunks: [
        { cx: 1, cz: 1 },
        { cx: 1, cz: 1 },
      ],
    },
    { ...newZone, yMin: 21, name: '' },
    { ...newZone, yMin: 21, chunks: [...newZone.chunks, ...newZone.chunks] },
    { ...newZone, world: '' },
    { ...newZone, world: '../up' },
    { ...newZone, world: null },
  ])('answers 400 to %j and creates nothing', async (body) => {
    const { post, deps, listAudit } = await open()
    const answer = await post(path, body)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    expect(answer.body.errors.length).toBeGreaterThan(0)
    expect(await deps.zones.listZones()).toEqual([])
    expect(await listAudit()).toEqual([])
  })

  it('answers 400 to 5,000 columns', async () => {
    const { post } = await open()
    const chunks = squareOf(0, 0, 71).slice(0, 5000)
    expect(await post(path, { ...newZone, chunks })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/chunks' }] } })
  })

  it('names each duplicate column', async () => {
    const { post } = await open()
    const chunks = [
      { cx: 1, cz: 1 },
      { cx: 0, cz: 0 },
      { cx: 1, cz: 1 },
    ]
    const errors = [{ pointer: '/chunks/2', message: 'is the same chunk as /chunks/0' }]
    expect((await post(path, { ...newZone, chunks })).body).toMatchObject({ errors })
  })

  it.each([
    [20, 20],
    [21, 20],
    [255, 0],
  ])('answers 422 to heights from %i to %i', async (yMin, yMax) => {
    const { post, deps } = await open()
    const problem = { type: '/problems/rule-broken', errors: [{ pointer: '/yMin' }] }
    expect(await post(path, { ...newZone, yMin, yMax })).toMatchObject({ status: 422, body: problem })
    expect(await deps.zones.listZones()).toEqual([])
  })

  it('answers 422 to columns that are not generated, naming each, and creates nothing', async () => {
    const { post, deps, listAudit } = await open()
    const chunks = [
      { cx: 9, cz: 0 },
      { cx: 0, cz: 0 },
      { cx: -5, cz: 3 },
    ]
    const answer = await post(path, { ...newZone, chunks })
    expect(answer).toMatchObject({ status: 422, body: { type: '/problems/chunks-not-generated' } })
    expect(answer.body.errors).toEqual([
      { pointer: '/chunks/0', message: expect.stringContaining('9, 0') },
      { pointer: '/chunks/2', message: expect.stringContaining('-5, 3') },
    ])
    expect(await deps.zones.listZones()).toEqual([])
    expect(await listAudit()).toEqual([])
  })

  it('answers 422 to a world that does not exist', async () => {
    const { post } = await open()
    const problem = { type: '/problems/rule-broken', errors: [{ pointer: '/world' }] }
    expect(await post(path, { ...newZone, world: 'nowhere' })).toMatchObject({ status: 422, body: problem })
  })

  it('answers 409 with the overlapping zone, and creates nothing', async () => {
    const { post, put, addZone, deps } = await open()
    const { zone, path: there } = await addZone()
    const attempt = { ...newZone, name: 'Other', yMin: 20, yMax: 21 }
    const problem = { type: '/problems/zone-overlap', detail: expect.stringContaining('"Town"') }
    expect(await post(path, attempt)).toMatchObject({ status: 409, body: problem })
    await put(`${there}/enabled`, { enabled: false })
    expect(await post(path, attempt)).toMatchObject({ status: 409, body: problem })
    expect((await deps.zones.listZones()).map((listed) => listed.zone.id)).toEqual([zone.id])
    expect((await post(path, { ...attempt, yMin: 21, yMax: 22 })).status).toBe(201)
    expect((await post(path, { ...newZone, world: 'north' })).status).toBe(201)
  })

  it('creates one zone for a hundred concurrent requests', async () => {
    const { post, deps, listAudit } = await open()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => post(path, { ...newZone, name: `Zone ${n}` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 99 }, () => 409)])
    expect(await deps.zones.listZones()).toHaveLength(1)
    expect(await listAudit()).toHaveLength(1)
  })

  it('answers 503 when the chunks of the world cannot be read', async () => {
    const chunks = createMemoryChunkStore()
    const { post } = await open({ deps: { chunks } })
    chunks.hasMany = () => Promise.reject(new AppError('unavailable', 'world-unusable', 'Its folder is locked.'))
    const answer = await post(path, newZone)
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/world-unusable' } })
    expect(answer.headers['retry-after']).toBeDefined()
  })

  it('answers 415 to another media type and 413 to a body above 256 KiB', async () => {
    const { request, token } = await open()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
    expect((await request('POST', path, { rawBody: '{}', headers })).status).toBe(415)
    expect((await request('POST', path, { body: { ...newZone, name: 'x'.repeat(270_000) } })).status).toBe(413)
  })

  it.each([
    ['nobody', 401, 'not-signed-in'],
    ['player', 403, 'missing-permission'],
    ['unverified-admin', 403, 'password-sign-in-needed'],
  ] as const)('refuses %s and creates nothing', async (as, status, slug) => {
    const { post, deps } = await open({ as })
    expect(await post(path, newZone)).toMatchObject({ status, body: { type: `/problems/${slug}` } })
    expect(await deps.zones.listZones()).toEqual([])
  })
})
