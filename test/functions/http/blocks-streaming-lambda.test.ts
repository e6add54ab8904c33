import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../functions/app.ts'
import { streamRoutes } from '../../../functions/streams/routes.ts'
import { createLambdaEvent } from '../../../infra/lambda-offline/lambda-offline-event.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { zoneRecords } from '../../../shared/domain/zones/zone.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { createHttpFixture } from '../../support/http/http-fixture.ts'
import { openSocketDoor } from '../../support/http/socket-door.ts'
import { callStreaming, openStreamingDoor } from '../../support/http/streaming-lambda.ts'
import { createSampleRegistry } from '../../support/worlds/chunk-samples.ts'
import { listedZoneId } from '../../support/zones/listed-zone.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const path = `/api/admin/instances/${listedZoneId}/blocks`
const registry = createSampleRegistry(['stone', 'soil'])
/** More blocks than the limit of a list. */
const columnsMax = 1024
const blocksPerColumn = 512

/** A floor and a ceiling of 256 blocks each. */
const hall = createChunk(0, 0)
for (const y of [0, 200]) for (let at = 0; at < 256; at += 1) setBlock(hall, { x: at & 15, y, z: at >> 4 }, at % 3 === 0 ? 2 : 3)

/** Creates columns when they are read, and keeps none. */
const getMany: ChunkStore['getMany'] = async (_world, positions) =>
  positions.map((position) => encodeChunk({ ...hall, ...position }, registry))

describe('the blocks of a zone through a streaming Lambda', () => {
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  let authorization: string
  beforeEach(async () => {
    fixture = await createHttpFixture({}, { chunks: { ...createMemoryChunkStore(), getMany } })
    await fixture.worlds.createWorld({ name: 'default' })
    authorization = `Bearer ${await fixture.issueToken('admin')}`
  })
  afterEach(() => fixture.close())

  const putZone = async (columns: number) => {
    const now = new Date(fixture.clock.now()).toISOString()
    const plane = { enabled: false, flipped: false, pos: 0 }
    await fixture.store.put(zoneRecords, listedZoneId, {
      id: listedZoneId,
      world: 'default',
      name: 'hall',
      yMin: 0,
      yMax: 255,
      enabled: true,
      shortcutBarPages: [],
      owner: listedZoneId,
      createdAt: now,
      updatedAt: now,
      chunks: Array.from({ length: columns }, (_, n) => ({ cx: (n >> 5) - 16, cz: (n & 31) - 16 })),
      clipPlanes: { x: plane, y: plane, z: plane },
    })
  }

  it.each([{}, { 'accept-encoding': 'gzip' }])('have the same bytes and headers as on a socket, %j', async (headers) => {
    const columns = 64
    await putZone(columns)
    const app = createApp(streamRoutes, fixture.deps)
    const socket = await openSocketDoor(app)
    const lambda = await openStreamingDoor(app)
    const theirs = await socket.send('GET', path, { authorization, ...headers }, undefined)
    const ours = await lambda.send('GET', path, { authorization, ...headers }, undefined)
    await socket.close()
    expect(ours.status).toBe(200)
    expect(Buffer.compare(ours.bytes, theirs.bytes)).toBe(0)
    for (const name of ['content-type', 'content-encoding', 'x-total-blocks', 'x-block-limit', 'cache-control', 'vary'])
      expect([name, ours.headers[name]]).toEqual([name, theirs.headers[name]])
    expect(ours.headers['x-total-blocks']).toBe(String(columns * blocksPerColumn))
  })

  it('stream 300,000 lines without holding them in memory', async () => {
    await putZone(columnsMax)
    const { streamed, ended } = callStreaming(
      createApp(streamRoutes, fixture.deps),
      createLambdaEvent({ method: 'GET', target: path, headers: { authorization } }),
    )
    const { head, body } = await streamed
    expect(head.headers['x-total-blocks']).toBe(String(columnsMax * blocksPerColumn))
    const weigh = () => {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const before = weigh()
    let lines = 0
    let pieces = 0
    let grown = 0
    for await (const piece of body) {
      for (const byte of piece) if (byte === 10) lines += 1
      pieces += 1
      if (pieces % 25 === 0) grown = Math.max(grown, weigh() - before)
    }
    await ended
    expect(lines).toBe(300_000)
    expect(pieces).toBeGreaterThan(30)
    expect(grown).toBeLessThan(4_000_000)
  })

  it.each([
    ['401', {}, path],
    ['404', undefined, path.replace(/.{4}\/blocks/, '0000/blocks')],
    ['400', undefined, `${path}?cx=1`],
  ])('answer %s as a problem before the first byte', async (status, headers, at) => {
    await putZone(1)
    const lambda = await openStreamingDoor(createApp(streamRoutes, fixture.deps))
    const answer = await lambda.send('GET', at, headers ?? { authorization }, undefined)
    expect(answer).toMatchObject({ status: Number(status), headers: { 'content-type': 'application/problem+json' } })
    expect(answer.body.status).toBe(Number(status))
  })
})
