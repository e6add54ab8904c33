import { EventEmitter, once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../functions/app.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import type { ChunkStore, DiscoveredRow } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createHttpFixture } from '../../support/http/http-fixture.ts'
import { openLambdaDoor } from '../../support/http/lambda-door.ts'
import { waitFor } from '../../support/time/wait-for.ts'

setFlagsFromString('--expose-gc')

const path = '/api/admin/chunks/discovered'
const rowLength = 1000

/** Rows of a thousand columns, created on demand. Counts them, and records when the reader has finished. */
const createRows = (count: number) => {
  const seen = { rows: 0, ended: false }
  const rows = async function* (): AsyncGenerator<DiscoveredRow> {
    try {
      for (let cx = 0; cx < count; cx += 1) {
        seen.rows += 1
        yield { cx, czs: Int32Array.from({ length: rowLength }, (_, cz) => cz) }
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, rows }
}

describe('the stream of discovered columns', () => {
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  let server: ReturnType<typeof createServer> | undefined
  let app: RequestListener
  let authorization: string

  const build = async (discovered: ChunkStore['discovered']) => {
    fixture = await createHttpFixture({}, { chunks: { ...createMemoryChunkStore(), discovered } })
    await fixture.worlds.createWorld({ name: 'default' })
    app = createApp(worldRoutes, fixture.deps)
    authorization = `Bearer ${await fixture.issueToken('admin')}`
  }
  const ask = async (discovered: ChunkStore['discovered']): Promise<IncomingMessage> => {
    await build(discovered)
    server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const request = get({ host: '127.0.0.1', port, path, headers: { authorization }, agent: false })
    const [response] = await once(request, 'response')
    return response
  }

  beforeEach(() => {
    server = undefined
  })
  afterEach(async () => {
    server?.closeAllConnections()
    server?.close()
    await fixture.close()
  })

  it('sends its first bytes before it reads the last row', async () => {
    const gate = new EventEmitter()
    const response = await ask(async function* () {
      yield { cx: 0, czs: Int32Array.of(1) }
      await once(gate, 'open')
      yield { cx: 1, czs: Int32Array.of(2) }
    })
    response.setEncoding('utf8')
    const [first] = await once(response, 'data')
    expect(first).toBe('[{"cx":0,"cz":1}')
    gate.emit('open')
    const [rest] = await once(response, 'data')
    expect(rest).toBe(',{"cx":1,"cz":2}]')
  })

  it('streams a million columns without holding them in memory', async () => {
    const collect = runInNewContext('gc')
    const weigh = () => {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const { seen, rows } = createRows(1000)
    let before = 0
    let grown = 0
    const weighed = async function* () {
      before = weigh()
      for await (const row of rows()) {
        yield row
        if (row.cx % 200 === 0) grown = Math.max(grown, weigh() - before)
      }
    }
    let length = 0
    let commas = 0
    for await (const chunk of await ask(weighed)) {
      length += chunk.length
      for (const byte of chunk) if (byte === 44) commas += 1
    }
    expect(seen).toEqual({ rows: 1000, ended: true })
    // One comma within each column, and one between each pair of columns.
    expect(commas).toBe(1_000_000 + 999_999)
    expect(length).toBeGreaterThan(19_000_000)
    expect(grown).toBeLessThan(4_000_000)
  })

  it('reads no further than the buffers of a slow client allow', async () => {
    const { seen, rows } = createRows(1_000_000)
    const response = await ask(rows)
    response.pause()
    let before = -1
    // Waits until all buffers on the way are full.
    await waitFor(async () => {
      const still = seen.rows === before
      before = seen.rows
      await new Promise((resolve) => setImmediate(resolve))
      return still && seen.rows > 1
    })
    expect(seen.rows).toBeLessThan(2000)
    expect(seen.ended).toBe(false)
    response.destroy()
    await waitFor(() => seen.ended)
    expect(seen.rows).toBeLessThan(2000)
    await waitFor(() => fixture.observed.length === 1)
    expect(fixture.lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('is cut off by an error midway, and logs it', async () => {
    const gate = new EventEmitter()
    const response = await ask(async function* () {
      yield { cx: 0, czs: Int32Array.of(1) }
      await once(gate, 'fail')
      throw new AppError('unavailable', 'world-unusable', 'Its folder is locked.', { cause: new Error('mine') })
    })
    await once(response, 'data')
    gate.emit('fail')
    await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(response.complete).toBe(false)
    await waitFor(() => fixture.observed.length === 1)
    expect(fixture.lines).toContainEqual(expect.objectContaining({ level: 40, slug: 'world-unusable' }))
  })

  it('answers 413 through a Lambda when it is too large, without reading all columns', async () => {
    const { seen, rows } = createRows(1000)
    await build(rows)
    const door = await openLambdaDoor(app)
    const answer = await door.send('GET', path, { authorization }, undefined)
    expect(answer).toMatchObject({
      status: 413,
      body: { type: '/problems/answer-too-large', detail: expect.stringContaining('4 MiB') },
    })
    expect(seen.ended).toBe(true)
    expect(seen.rows).toBeLessThan(300)
  })
})
