import { describe, expect, it } from '@jest/globals'
import { defaultBlocks } from '../../../shared/domain/worlds/default-blocks.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { openZoneDoor, zonesPath } from '../../support/zones/zone-door.ts'
import { squareOf } from '../../support/zones/zone-fixture.ts'
import { doors } from '../doors.ts'

const unknown = '00000000-0000-4000-8000-000000000000'
const callers = [
  ['nobody', 401, 'not-signed-in'],
  ['player', 403, 'missing-permission'],
  ['unverified-admin', 403, 'password-sign-in-needed'],
] as const

describe.each(doors)('GET /api/admin/instances through %s', (_name, openDoor) => {
  const open = (options?: Parameters<typeof openZoneDoor>[1]) => openZoneDoor(openDoor, options)

  it('is empty without zones', async () => {
    const { get } = await open()
    const answer = await get(zonesPath)
    expect(answer).toMatchObject({ status: 200, body: [] })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('lists the zones of all worlds oldest first, or those of one', async () => {
    const { get, addZone } = await open()
    const made = []
    for (const [n, { cx, cz }] of squareOf(-3, -3, 4).entries())
      made.push((await addZone({ name: `Zone ${n}`, chunks: [{ cx, cz }], world: n % 3 === 0 ? 'north' : 'default' })).zone)
    expect((await get(zonesPath)).body).toEqual(made)
    expect((await get(`${zonesPath}?world=north`)).body).toEqual(made.filter(({ world }) => world === 'north'))
  })

  it('lists zones with missing columns or an unreadable world, with a warning', async () => {
    const chunks = createMemoryChunkStore()
    const { get, addZone, worlds } = await open({ deps: { chunks } })
    const whole = await addZone({ chunks: [{ cx: 1, cz: 1 }] })
    const torn = await addZone()
    const north = await addZone({ world: 'north' })
    await chunks.setAside(await worlds.getWorld(), { cx: 0, cz: 0 }, 1)
    const { hasMany } = chunks
    const fault = new AppError('unavailable', 'world-unusable', 'Its folder belongs to another world.')
    chunks.hasMany = (world, columns) => (world.name === 'north' ? Promise.reject(fault) : hasMany(world, columns))
    expect((await get(zonesPath)).body).toEqual([
      whole.zone,
      { ...torn.zone, warning: 'Missing from the world: 1 of the zone’s 1 chunks.' },
      { ...north.zone, warning: fault.publicDetail },
    ])
  })

  it('answers 404 to a missing world, and 400 to an invalid name or another key', async () => {
    const { get } = await open()
    expect(await get(`${zonesPath}?world=nowhere`)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
    for (const query of ['world=', 'world=a%2Fb', 'limit=1', 'world=default&world=north'])
      expect(await get(`${zonesPath}?${query}`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
  })

  it.each(callers)('refuses %s', async (as, status, slug) => {
    const { get, addZone } = await open({ as })
    await addZone()
    expect(await get(zonesPath)).toMatchObject({ status, body: { type: `/problems/${slug}` } })
  })
})

describe.each(doors)('GET /api/admin/instances/{id} through %s', (_name, openDoor) => {
  const open = (options?: Parameters<typeof openZoneDoor>[1]) => openZoneDoor(openDoor, options)

  it('answers the zone with a strong tag, and 304 when it matches', async () => {
    const { get, put, addZone } = await open()
    const { zone, path, etag } = await addZone()
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 200, body: zone })
    expect(answer.headers.etag).toBe(etag)
    expect(await get(path, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
    await put(path, { name: 'Other' })
    expect(await get(path, { 'if-none-match': etag })).toMatchObject({ status: 200, body: { name: 'Other' } })
  })

  it('has another tag while there is a warning, which If-Match accepts too', async () => {
    const { get, put, addZone, chunks, worlds } = await open()
    const { zone, path, etag } = await addZone()
    await chunks.setAside(await worlds.getWorld(), { cx: 0, cz: 0 }, 1)
    const answer = await get(path, { 'if-none-match': etag })
    expect(answer).toMatchObject({ status: 200, body: { ...zone, warning: expect.stringContaining('1 of the zone’s 1') } })
    const tag = answer.headers.etag ?? ''
    expect(tag).not.toBe(etag)
    expect((await get(path, { 'if-none-match': tag })).status).toBe(304)
    expect((await put(path, { name: 'Other' }, { 'if-match': tag })).status).toBe(200)
    expect((await put(path, { name: 'Third' }, { 'if-match': tag })).status).toBe(412)
  })

  it('answers 404 to an unknown id, and 400 to an invalid one', async () => {
    const { get } = await open()
    expect(await get(`${zonesPath}/${unknown}`)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
    for (const id of ['7', 'town', `${unknown}0`, '..%2Fzones', '%00'])
      expect(await get(`${zonesPath}/${id}`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
  })

  it('answers 405 to another method, with the allowed ones', async () => {
    const { request, addZone } = await open()
    const { path } = await addZone()
    const answer = await request('POST', path, { body: {} })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
  })

  it.each(callers)('refuses %s', async (as, status, slug) => {
    const { get, addZone } = await open({ as })
    const { path } = await addZone()
    expect(await get(path)).toMatchObject({ status, body: { type: `/problems/${slug}` } })
  })
})

describe.each(doors)('GET /api/admin/blocks through %s', (_name, openDoor) => {
  it('lists the active kinds of blocks in file order, to callers who can read zones', async () => {
    const { get } = await openZoneDoor(openDoor)
    const { status, body } = await get('/api/admin/blocks')
    expect(status).toBe(200)
    expect(body.map(({ id }: { readonly id: string }) => id)).toEqual(defaultBlocks.map(({ id }) => id))
    expect(body[0]).toEqual(defaultBlocks[0])
  })
})
