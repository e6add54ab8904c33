import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGunzip } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../functions/app.ts'
import { createOpenapi } from '../../../functions/http/openapi/openapi.ts'
import { listZoneBlocks } from '../../../functions/zones/zone-blocks.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { zoneRecords } from '../../../shared/domain/zones/zone.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { createHttpFixture } from '../../support/http/http-fixture.ts'
import { openLambdaDoor } from '../../support/http/lambda-door.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createSampleRegistry } from '../../support/worlds/chunk-samples.ts'
import { listedZoneId } from '../../support/zones/listed-zone.ts'

const path = `/api/admin/instances/${listedZoneId}/blocks`
const registry = createSampleRegistry(['stone', 'soil'])
/** 16 × 16. */
const columns = 256
const layers = [0, 1, 2, 3, 200, 201, 202, 203]
const total = columns * layers.length * 256

const encoded = new Map<string, Uint8Array>()
/** A column with a floor and a ceiling. */
const encodeColumn = (cx: number, cz: number): Uint8Array => {
  const chunk = createChunk(cx, cz)
  for (const y of layers) for (let at = 0; at < 256; at += 1) setBlock(chunk, { x: at & 15, y, z: at >> 4 }, at % 3 === 0 ? 2 : 3)
  const bytes = encodeChunk(chunk, registry)
  encoded.set(`${cx},${cz}`, bytes)
  return bytes
}

/** Chunks of all columns. A test can delay the reads. */
const createEndless = () => {
  const seen = { columns: 0, held: 0 }
  const control: { gate: (read: number) => Promise<void> } = { gate: async () => undefined }
  const getMany: ChunkStore['getMany'] = async (_world, positions) => {
    await control.gate(seen.columns)
    seen.columns += positions.length
    return positions.map(({ cx, cz }) => encoded.get(`${cx},${cz}`) ?? encodeColumn(cx, cz))
  }
  /** Holds further reads after this many columns, until the returned function is called. */
  const holdReadsFrom = (columnsBefore: number) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    control.gate = async (read) => {
      if (read < columnsBefore) return
      seen.held += 1
      await held
    }
    return () => release()
  }
  return { seen, control, holdReadsFrom, chunks: { ...createMemoryChunkStore(), getMany } }
}

describe('the stream of a zone’s blocks', () => {
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  let endless: ReturnType<typeof createEndless>
  let server: ReturnType<typeof createServer> | undefined
  let app: RequestListener
  let authorization: string

  beforeEach(async () => {
    server = undefined
    endless = createEndless()
    fixture = await createHttpFixture({}, { chunks: endless.chunks })
    const { world, id } = { world: 'default', id: listedZoneId }
    await fixture.worlds.createWorld({ name: world })
    const now = new Date(fixture.clock.now()).toISOString()
    const plane = { enabled: false, flipped: false, pos: 0 }
    await fixture.store.put(zoneRecords, id, {
      id,
      world,
      name: 'hall',
      yMin: 0,
      yMax: 255,
      enabled: true,
      shortcutBarPages: [],
      owner: id,
      chunks: Array.from({ length: columns }, (_, n) => ({ cx: (n >> 4) - 8, cz: (n & 15) - 8 })),
      clipPlanes: { x: plane, y: plane, z: plane },
      createdAt: now,
      updatedAt: now,
    })
    app = createApp([listZoneBlocks], fixture.deps)
    authorization = `Bearer ${await fixture.issueToken('admin')}`
  })
  afterEach(async () => {
    server?.closeAllConnections()
    server?.close()
    await fixture.close()
  })

  const send = async (headers: Record<string, string> = {}) => {
    server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return get({ host: '127.0.0.1', port, path, headers: { authorization, ...headers }, agent: false })
  }
  const ask = async (headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const [response] = await once(await send(headers), 'response')
    return response
  }
  it.each([{}, { 'accept-encoding': 'gzip' }])('sends the total and the lowest 300,000, %j', async (headers) => {
    const response = await ask(headers)
    expect(response.headers).toMatchObject({ 'x-total-blocks': String(total), 'x-block-limit': '300000' })
    const text = 'accept-encoding' in headers ? response.pipe(createGunzip()) : response
    text.setEncoding('utf8')
    let all = ''
    for await (const part of text) all += part
    const lines = all.split('\n').slice(0, -1)
    expect([lines[0], lines.length]).toEqual(['{"x":-128,"y":0,"z":-128,"type":"stone"}', 300_000])
    expect(endless.seen.columns).toBe(columns)
  })

  it('ends without an error when a slow client disconnects', async () => {
    const response = await ask()
    response.pause()
    response.destroy()
    await waitFor(() => fixture.observed.length === 1)
    expect(fixture.lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('stops counting when the client disconnects before the answer', async () => {
    const release = endless.holdReadsFrom(128)
    const request = await send()
    request.on('error', () => undefined)
    await waitFor(() => endless.seen.columns >= 128)
    request.destroy()
    const connections = () => new Promise<number>((resolve) => server?.getConnections((_error, count) => resolve(count)))
    await waitFor(async () => (await connections()) === 0)
    release()
    await waitFor(() => fixture.observed.length === 1)
    expect(endless.seen.columns).toBeLessThan(columns)
    expect(fixture.lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('allows 4 at once per sign-in, then 429, and again once one has ended or was never read', async () => {
    server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const start = (method = 'GET') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        request({ host: '127.0.0.1', port, path, method, headers: { authorization }, agent: false }, resolve)
          .on('error', reject)
          .end()
      })
    for (let turn = 0; turn < 5; turn += 1) expect((await start('HEAD')).statusCode).toBe(200)
    const unread = await Promise.all(Array.from({ length: 4 }, () => start()))
    expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const refused = await start()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5'])
    unread[0]?.destroy()
    await waitFor(async () => (await start('HEAD')).statusCode === 200)
    for (const response of unread) response.destroy()
  })

  it('allows 32 at once for all sign-ins, then 429 with Retry-After until one has ended', async () => {
    server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const start = (token: string | undefined) =>
      get({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${token}` }, agent: false }).on(
        'error',
        () => undefined,
      )
    const release = endless.holdReadsFrom(0)
    const tokens = await Promise.all(Array.from({ length: 8 }, () => fixture.issueToken('admin')))
    const running = tokens.flatMap((token) => Array.from({ length: 4 }, () => start(token)))
    await waitFor(() => endless.seen.held === 32)
    const other = await fixture.issueToken('admin')
    const [refused] = await once(start(other), 'response')
    refused.setEncoding('utf8')
    const [text] = await once(refused, 'data')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5'])
    expect(JSON.parse(text)).toMatchObject({
      type: '/problems/too-many-requests',
      detail: expect.stringContaining('Too many of these are running'),
    })
    for (const request of running) request.destroy()
    release()
    await waitFor(async () => {
      const [again] = await once(start(other), 'response')
      again.destroy()
      return again.statusCode === 200
    })
  })

  it('is a logged problem when the store fails', async () => {
    endless.control.gate = async (read) => {
      if (read >= 64) throw new Error('mine')
    }
    expect((await ask()).statusCode).toBe(500)
    await waitFor(() => fixture.lines.some(({ level }) => level === 50))
  })

  it('through a Lambda answers 413 when it is too large, and all of it as gzip', async () => {
    const door = await openLambdaDoor(app)
    const answer = await door.send('GET', path, { authorization }, undefined)
    expect(answer).toMatchObject({ status: 413, body: { type: '/problems/answer-too-large' } })
    const packed = await door.send('GET', path, { authorization, 'accept-encoding': 'gzip' }, undefined)
    expect(packed).toMatchObject({ status: 200, headers: { 'x-total-blocks': String(total) } })
    expect(packed.bytes.length).toBeLessThan(4 * 1024 * 1024)
  })

  it('is documented with its media type', () => {
    const { paths } = createOpenapi([listZoneBlocks], { version: '1', baseUrl: 'http://127.0.0.1' })
    expect(paths['/api/admin/instances/{id}/blocks']?.get?.responses).toMatchObject({
      200: {
        content: { 'application/x-ndjson': { schema: { type: 'string' } } },
        headers: { 'X-Total-Blocks': { schema: { type: 'integer' } }, 'X-Block-Limit': { schema: { const: 300_000 } } },
      },
      413: {},
    })
  })
})
