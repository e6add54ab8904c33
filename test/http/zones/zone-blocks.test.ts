import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { zoneRoutes } from '../../../functions/zones/routes.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { type Chunk, createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { createSampleChunk, createSampleRegistry } from '../../support/worlds/chunk-samples.ts'
import { linesOf, storeColumns } from '../../support/zones/listed-zone.ts'
import { bothDoors, type OpenOptions } from '../doors.ts'

const registry = createSampleRegistry(['stone', 'soil', 'ore', 'tower'])
const columns = [createSampleChunk(-1, 2), createSampleChunk(-1, 3), createSampleChunk(4, -5)]
const [yMin, yMax] = [30, 90]
const textOf = (some: readonly Chunk[]) =>
  linesOf({ yMin, yMax, columns: some }, registry)
    .map((line) => `${line}\n`)
    .join('')

describe.each(bothDoors)('GET /api/admin/instances/{id}/blocks through %s', (_name, openDoor) => {
  /** A zone over those columns, in the active world or another one. */
  const open = async (options: OpenOptions & { stored?: readonly Chunk[]; world?: string } = {}) => {
    const { stored = columns, world: name = 'default', ...rest } = options
    const door = await openDoor({ routes: zoneRoutes, as: 'admin', ...rest })
    await door.worlds.createWorld({ name: 'default' })
    const world = name === 'default' ? await door.worlds.getWorld() : await door.worlds.createWorld({ name })
    await storeColumns(door.chunks, stored, registry, world)
    const chunks = stored.map(({ cx, cz }) => ({ cx, cz }))
    const created = await door.request('POST', '/api/admin/instances', {
      body: { name: 'yard', yMin, yMax, chunks, world: name },
      headers: { authorization: `Bearer ${await door.issueToken('admin')}` },
    })
    expect(created.status).toBe(201)
    const path = `/api/admin/instances/${created.body.id}`
    return { ...door, world, path, blocks: `${path}/blocks` }
  }

  it('lists the blocks, one JSON object a line, after their total', async () => {
    const { get, blocks } = await open()
    const answer = await get(blocks)
    expect(answer).toMatchObject({ status: 200, text: textOf(columns) })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'x-total-blocks': String(answer.text.split('\n').length - 1),
      'x-block-limit': '300000',
      'cache-control': 'no-store',
    })
  })

  it('lists those of one column, and nothing for a column outside of the zone', async () => {
    const { get, blocks } = await open()
    const answer = await get(`${blocks}?cx=-1&cz=3`)
    expect(answer).toMatchObject({ status: 200, text: textOf(columns.slice(1, 2)) })
    expect(answer.headers['x-total-blocks']).toBe(String(answer.text.split('\n').length - 1))
    const other = await get(`${blocks}?cx=3&cz=-1`)
    expect(other).toMatchObject({ status: 200, text: '' })
    expect(other.headers).toMatchObject({ 'x-total-blocks': '0', 'content-type': 'application/x-ndjson' })
  })

  it.each([
    'cx=1',
    'cz=1',
    'cx=1&cz=x',
    'cx=1&cz=0.5',
    'cx=1&cz=1875000',
    'cx=1&cx=1&cz=1',
    'cx=&cz=',
    'world=default',
    'cx=1&cz=1&y=1',
  ])('answers 400 to ?%s', async (query) => {
    const { get, blocks } = await open()
    expect(await get(`${blocks}?${query}`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
  })

  it('lists a disabled zone, and a zone in another world than the active one', async () => {
    const { get, put, path, blocks } = await open({ world: 'north' })
    await put(`${path}/enabled`, { enabled: false })
    expect((await get(blocks)).text).toBe(textOf(columns))
  })

  it('lists the last stored state', async () => {
    const { get, chunks, world, blocks } = await open()
    const changed = createSampleChunk(-1, 2)
    setBlock(changed, { x: 3, y: 80, z: 4 }, 4)
    await storeColumns(chunks, [changed], registry, world)
    expect((await get(blocks)).text).toBe(textOf([changed, ...columns.slice(1)]))
  })

  it('is an empty 200 for a zone of air', async () => {
    const { get, blocks } = await open({ stored: [createChunk(0, 0)] })
    const answer = await get(blocks)
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['x-total-blocks']).toBe('0')
  })

  it('is gzip if the client accepts it, with the same content', async () => {
    const { get, blocks } = await open()
    const { headers, bytes } = await get(blocks, { 'accept-encoding': 'gzip, deflate, br' })
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'x-block-limit': '300000' })
    expect(headers.vary).toContain('Accept-Encoding')
    expect(gunzipSync(bytes).toString()).toBe(textOf(columns))
    expect((await get(blocks)).headers.vary).toContain('Accept-Encoding')
  })

  it('answers HEAD with the headers only', async () => {
    const { request, get, blocks } = await open()
    const { headers } = await get(blocks)
    const answer = await request('HEAD', blocks)
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['x-total-blocks']).toBe(headers['x-total-blocks'])
  })

  it('answers 404 for a zone that does not exist', async () => {
    const { get } = await open()
    const answer = await get('/api/admin/instances/0b8f7c86-6f5c-4a43-9d36-5a5d3a0d7c11/blocks')
    expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
  })

  it('answers 503 when the chunks cannot be read', async () => {
    const chunks = createMemoryChunkStore()
    const { get, blocks } = await open({ deps: { chunks } })
    const broken = new AppError('unavailable', 'world-unusable', 'Its folder is locked.')
    chunks.getMany = () => Promise.reject(broken)
    const answer = await get(blocks)
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/world-unusable' } })
    expect(answer.headers['x-total-blocks']).toBeUndefined()
  })

  it.each([
    ['nobody', 401],
    ['player', 403],
    ['unverified-admin', 403],
  ] as const)('refuses %s with %i', async (as, status) => {
    const { get, blocks } = await open({ as })
    expect((await get(blocks)).status).toBe(status)
  })
})
