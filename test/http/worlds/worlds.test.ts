import { describe, expect, it } from '@jest/globals'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { doors } from '../doors.ts'

const routes = worldRoutes
const path = '/api/admin/worlds'
const view = {
  name: 'north',
  seed: 7,
  chunkCount: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  active: false,
  generator: 'terrain-1',
  sizeBytes: 0,
}

describe.each(doors)('GET /api/admin/worlds through %s', (_name, open) => {
  it('is empty without worlds', async () => {
    const { get } = await open({ routes, as: 'admin' })
    expect(await get(path)).toMatchObject({ status: 200, body: [] })
  })

  it('lists the active world first, then by name, each with its size', async () => {
    const { get, worlds, chunks } = await open({ routes, as: 'admin' })
    for (const name of ['south', 'north', 'default']) await worlds.createWorld({ name, seed: 7 })
    const bytes = new Uint8Array(10)
    const records = [-1, 0, 1].map((cx) => ({ cx, cz: 0, bytes }))
    await chunks.putMany(await worlds.getWorld('north'), records, 1)
    const { status, body } = await get(path)
    expect(status).toBe(200)
    expect(body).toEqual([
      { ...view, name: 'default', active: true },
      { ...view, name: 'north', chunkCount: 3, sizeBytes: 30 },
      { ...view, name: 'south' },
    ])
  })

  it('lists a world with an unusable folder, with the reason', async () => {
    const fault = new AppError('unavailable', 'world-unusable', 'Its folder belongs to another world.')
    const chunks = { ...createMemoryChunkStore(), stats: () => Promise.reject(fault) }
    const { get, worlds } = await open({ routes, as: 'admin', deps: { chunks } })
    await worlds.createWorld({ name: 'north', seed: 7 })
    expect((await get(path)).body).toEqual([{ ...view, warning: 'Its folder belongs to another world.' }])
  })

  it.each([
    ['nobody', 401, 'not-signed-in'],
    ['player', 403, 'missing-permission'],
    ['unverified-admin', 403, 'password-sign-in-needed'],
  ] as const)('refuses %s', async (as, status, slug) => {
    const { get } = await open({ routes, as })
    expect(await get(path)).toMatchObject({ status, body: { type: `/problems/${slug}` } })
  })

  it('answers 400 to a query', async () => {
    const { get } = await open({ routes, as: 'admin' })
    expect(await get(`${path}?limit=1`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
  })
})

describe.each(doors)('POST /api/admin/worlds through %s', (_name, open) => {
  it('answers 201 with the new world, and audits it', async () => {
    const { post, worlds, deps } = await open({ routes, as: 'admin' })
    const answer = await post(path, { name: 'north', seed: 7 }, { 'x-request-id': 'mine' })
    expect(answer).toMatchObject({ status: 201, body: view })
    expect(answer.body).toEqual(view)
    expect(await worlds.getWorld('north')).toMatchObject({ seed: 7, generator: 'terrain-1' })
    expect((await deps.audit.listEntries({ limit: 2 })).entries).toMatchObject([
      { actor: 'admin@example.com', action: 'world.create', target: 'north', before: null, via: 'http', requestId: 'mine' },
    ])
  })

  it.each([
    [0, 0],
    [-9_007_199_254_740_991, -9_007_199_254_740_991],
    ['-42', -42],
    ['gatehouse', 4_648_848_465_889_452],
  ])('turns the seed %j into %i', async (seed, expected) => {
    const { post } = await open({ routes, as: 'admin' })
    expect(await post(path, { name: 'north', seed })).toMatchObject({ status: 201, body: { seed: expected } })
  })

  it('generates a seed when none is given', async () => {
    const { post } = await open({ routes, as: 'admin' })
    const { body } = await post(path, { name: 'north' })
    expect(Number.isSafeInteger(body.seed)).toBe(true)
  })

  it('answers 409 for a taken name in any letter case, and changes nothing', async () => {
    const { post, worlds } = await open({ routes, as: 'admin' })
    await post(path, { name: 'north', seed: 7 })
    for (const name of ['north', 'North'])
      expect(await post(path, { name, seed: 8 })).toMatchObject({
        status: 409,
        body: { type: '/problems/already-exists', detail: expect.stringContaining('"north"') },
      })
    expect(await worlds.listWorlds()).toMatchObject([{ name: 'north', seed: 7 }])
  })

  it('creates one world for many concurrent requests', async () => {
    const { post } = await open({ routes, as: 'admin' })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, seed) => post(path, { name: 'north', seed })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  })

  it.each([
    {},
    { name: '' },
    { name: 'a/b' },
    { name: '..' },
    { name: 'nörd' },
    { name: 'a'.repeat(65) },
    { name: 'con' },
    { name: 7 },
    { name: 'north', seed: 1.5 },
    { name: 'north', seed: 2 ** 53 },
    { name: 'north', seed: null },
    { name: 'north', seed: true },
    { name: 'north', generator: 'flat-1' },
    [],
  ])('answers 400 to %j and changes nothing', async (body) => {
    const { post, worlds, deps } = await open({ routes, as: 'admin' })
    const answer = await post(path, body)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    expect(answer.body.errors.length).toBeGreaterThan(0)
    expect(await worlds.listWorlds()).toEqual([])
    expect((await deps.audit.listEntries({ limit: 1 })).entries).toEqual([])
  })

  it.each([
    ['nobody', 401],
    ['player', 403],
    ['unverified-admin', 403],
  ] as const)('refuses %s with %i and changes nothing', async (as, status) => {
    const { post, worlds } = await open({ routes, as })
    expect((await post(path, { name: 'north' })).status).toBe(status)
    expect(await worlds.listWorlds()).toEqual([])
  })
})
