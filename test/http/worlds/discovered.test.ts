import { describe, expect, it } from '@jest/globals'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import type { ChunkStore, DiscoveredRow } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { chunkMax, chunkMin } from '../../../shared/rules/positions.ts'
import { doors, type OpenOptions } from '../doors.ts'

const routes = worldRoutes
const path = '/api/admin/chunks/discovered'
const columns = [
  { cx: -3, cz: 5 },
  { cx: -1, cz: -1 },
  { cx: -1, cz: 2 },
  { cx: 0, cz: 0 },
  { cx: 7, cz: -9 },
]
const fault = new AppError('unavailable', 'world-unusable', 'Its folder is locked.')

/** A chunk store with these rows as its `discovered`. */
const storeOf = (rows: () => AsyncIterable<DiscoveredRow>): ChunkStore => ({ ...createMemoryChunkStore(), discovered: rows })

describe.each(doors)('GET /api/admin/chunks/discovered through %s', (_name, openDoor) => {
  const open = async (options: OpenOptions = {}) => {
    const door = await openDoor({ routes, as: 'admin', ...options })
    const world = await door.worlds.createWorld({ name: 'default' })
    const records = [...columns].reverse().map((pos) => ({ ...pos, bytes: new Uint8Array(1) }))
    if (options.deps === undefined) await door.chunks.putMany(world, records, 1)
    return door
  }

  it('lists the columns of the active world by cx, then cz', async () => {
    const { get } = await open()
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 200, body: columns })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('lists those of the requested world', async () => {
    const { get, worlds } = await open()
    await worlds.createWorld({ name: 'empty' })
    expect(await get(`${path}?world=empty`)).toMatchObject({ status: 200, body: [], text: '[]' })
    expect((await get(`${path}?world=default`)).body).toEqual(columns)
  })

  it('lists those of a box, edges included', async () => {
    const { get } = await open()
    const box = 'minCx=-1&maxCx=7&minCz=-1&maxCz=2'
    expect((await get(`${path}?${box}`)).body).toEqual(columns.slice(1, 4))
    expect((await get(`${path}?minCx=0&maxCx=0&minCz=0&maxCz=0`)).body).toEqual([{ cx: 0, cz: 0 }])
    expect((await get(`${path}?minCx=${chunkMin}&maxCx=${chunkMax}&minCz=${chunkMin}&maxCz=${chunkMax}`)).body).toEqual(columns)
  })

  it.each(['minCx=0', 'minCx=0&maxCx=1&minCz=0', 'maxCz=0', 'world=default&minCz=0&maxCz=1'])(
    'answers 400 to ?%s, which is an incomplete box',
    async (query) => {
      const { get } = await open()
      expect(await get(`${path}?${query}`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    },
  )

  it.each([
    'minCx=x&maxCx=1&minCz=0&maxCz=1',
    'minCx=0.5&maxCx=1&minCz=0&maxCz=1',
    `minCx=${chunkMin - 1}&maxCx=1&minCz=0&maxCz=1`,
    `minCx=0&maxCx=${chunkMax + 1}&minCz=0&maxCz=1`,
    'minCx=0&minCx=0&maxCx=1&minCz=0&maxCz=1',
    'world=',
    'world=a%2Fb',
    'limit=1',
  ])('answers 400 to ?%s', async (query) => {
    const { get } = await open()
    expect(await get(`${path}?${query}`)).toMatchObject({
      status: 400,
      body: { type: '/problems/bad-request', errors: [expect.anything()] },
    })
  })

  it('answers 422 to a box with reversed edges, naming each', async () => {
    const { get } = await open()
    expect(await get(`${path}?minCx=1&maxCx=0&minCz=5&maxCz=4`)).toMatchObject({
      status: 422,
      body: { type: '/problems/rule-broken', errors: [{ pointer: '/minCx' }, { pointer: '/minCz' }] },
    })
  })

  it('answers 404 for an unknown world, and before the active one exists', async () => {
    const { get } = await open()
    expect(await get(`${path}?world=nowhere`)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
    const bare = await openDoor({ routes, as: 'admin' })
    expect((await bare.get(path)).status).toBe(404)
  })

  it('answers 503 when the chunks cannot be read', async () => {
    const chunks = storeOf(async function* () {
      yield await Promise.reject(fault)
    })
    const { get } = await open({ deps: { chunks } })
    expect(await get(path)).toMatchObject({ status: 503, body: { type: '/problems/world-unusable' } })
  })

  it.each([
    ['nobody', 401],
    ['player', 403],
    ['unverified-admin', 403],
  ] as const)('refuses %s with %i', async (as, status) => {
    const { get } = await open({ as })
    expect((await get(path)).status).toBe(status)
  })

  it('answers HEAD without reading a column', async () => {
    let read = false
    const chunks = storeOf(async function* () {
      read = true
      yield { cx: 0, czs: Int32Array.of(0) }
    })
    const { request } = await open({ deps: { chunks } })
    const answer = await request('HEAD', path)
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(read).toBe(false)
  })

  it('is counted and logged once', async () => {
    const { get, observed } = await open()
    await get(path)
    expect(observed).toMatchObject([{ method: 'GET', path, status: 200 }])
  })
})
