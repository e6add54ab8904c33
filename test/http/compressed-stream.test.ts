import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGunzip, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../functions/app.ts'
import { type Route, route, stream } from '../../functions/http/route.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createHttpFixture } from '../support/http/http-fixture.ts'
import { openLambdaDoor } from '../support/http/lambda-door.ts'
import { waitFor } from '../support/time/wait-for.ts'

const path = '/streamed'
type Pieces = (gone: AbortSignal) => AsyncIterable<string>

const routeOf = (pieces: Pieces): Route =>
  route({
    method: 'get',
    path,
    permission: 'none',
    operationId: 'getStream',
    summary: 'A stream.',
    responses: { 200: 'A stream.' },
    handle: (_deps, { request }) => ({ ...stream('text/plain', pieces(request.clientGone())), compress: true }),
  })

const text = 'a line of text\n'.repeat(5000)
const textPieces: Pieces = async function* () {
  for (let at = 0; at < text.length; at += 4096) yield text.slice(at, at + 4096)
}

describe('a compressible stream', () => {
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  let server: ReturnType<typeof createServer> | undefined

  const ask = async (pieces: Pieces, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    server = createServer(createApp([routeOf(pieces)], fixture.deps)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false })
    const [response] = await once(request, 'response')
    return response
  }
  const collect = async (response: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  beforeEach(async () => {
    fixture = await createHttpFixture()
    server = undefined
  })
  afterEach(async () => {
    server?.closeAllConnections()
    server?.close()
    await fixture.close()
  })

  it.each(['gzip', 'br, gzip', 'identity;q=0.5, gzip;q=0.8', '*', 'GZIP;q=0.001, identity;q=0'])(
    'is gzip for a client that accepts %s, and the same when unpacked',
    async (accepted) => {
      const response = await ask(textPieces, { 'accept-encoding': accepted })
      expect(response.headers).toMatchObject({
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
        'content-type': 'text/plain',
      })
      const bytes = await collect(response)
      expect(bytes.length).toBeLessThan(text.length / 20)
      expect(gunzipSync(bytes).toString()).toBe(text)
    },
  )

  it.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.2, identity;q=0.9', '*;q=0'])(
    'is plain for a client that accepts %s',
    async (accepted) => {
      const response = await ask(textPieces, accepted === undefined ? {} : { 'accept-encoding': accepted })
      expect(response.headers).toMatchObject({ vary: 'Accept-Encoding' })
      expect(response.headers['content-encoding']).toBeUndefined()
      expect(String(await collect(response))).toBe(text)
    },
  )

  it('is an empty gzip stream without pieces', async () => {
    const response = await ask(async function* () {}, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(await collect(response))).toHaveLength(0)
  })

  it('delivers its first piece before the second is made', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const response = await ask(
      async function* () {
        yield 'first'
        await held
        yield 'second'
      },
      { 'accept-encoding': 'gzip' },
    )
    const unpacked = response.pipe(createGunzip()).setEncoding('utf8')
    expect(await once(unpacked, 'data')).toEqual(['first'])
    release()
    expect(await once(unpacked, 'data')).toEqual(['second'])
  })

  it('is an uncompressed problem when its first piece fails', async () => {
    const response = await ask(
      async function* () {
        yield await Promise.reject(new AppError('unavailable', 'world-unusable', 'Its folder is locked.'))
      },
      { 'accept-encoding': 'gzip' },
    )
    expect(response.statusCode).toBe(503)
    expect(response.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(String(await collect(response)))).toMatchObject({ type: '/problems/world-unusable' })
  })

  it('is cut off by an error midway', async () => {
    let fail: (error: Error) => void = () => undefined
    const failing = new Promise<never>((_resolve, reject) => {
      fail = reject
    })
    const response = await ask(
      async function* () {
        yield 'first'
        yield await failing
      },
      { 'accept-encoding': 'gzip' },
    )
    await once(response, 'data')
    fail(new Error('mine'))
    await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
    await waitFor(() => fixture.lines.some(({ level, msg }) => level === 50 && msg === 'request failed'))
  })

  it('requests no more pieces after the client disconnects, and notifies their source', async () => {
    const seen = { pieces: 0, ended: false }
    let gone: AbortSignal | undefined
    const response = await ask(
      (signal) => {
        gone = signal
        return (async function* () {
          try {
            for (;;) {
              seen.pieces += 1
              yield String(Math.random()).repeat(4000)
              await new Promise((resolve) => setImmediate(resolve))
            }
          } finally {
            seen.ended = true
          }
        })()
      },
      { 'accept-encoding': 'gzip' },
    )
    await once(response, 'data')
    response.destroy()
    await waitFor(() => seen.ended && gone?.aborted === true)
    await waitFor(() => fixture.observed.length === 1)
    expect(fixture.lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('ends without an error when the signal of a disconnected client stops it', async () => {
    let made = false
    const response = await ask(async function* (gone) {
      yield 'first'
      made = true
      await once(gone, 'abort')
      gone.throwIfAborted()
    })
    await once(response, 'data')
    await waitFor(() => made)
    response.destroy()
    await waitFor(() => fixture.observed.length === 1)
    expect(fixture.lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('arrives complete and compressed through a Lambda', async () => {
    const door = await openLambdaDoor(createApp([routeOf(textPieces)], fixture.deps))
    const plain = await door.send('GET', path, {}, undefined)
    expect(plain).toMatchObject({ status: 200, text })
    const packed = await door.send('GET', path, { 'accept-encoding': 'gzip' }, undefined)
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
    expect(gunzipSync(packed.bytes).toString()).toBe(text)
  })
})
