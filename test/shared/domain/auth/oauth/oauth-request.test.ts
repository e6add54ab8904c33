import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, createBrotliDecompress, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createIssuerRequest, IssuerFault } from '../../../../../shared/domain/auth/oauth/oauth-request.ts'

describe('a request to an identity provider', () => {
  let answer: (response: ServerResponse) => unknown
  let connections: number
  let requests: { readonly method: string | undefined; readonly headers: object; readonly body: string }[]
  const server = () =>
    createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      requests.push({ method: request.method, headers: request.headers, body })
      answer(response)
    })
  let running: ReturnType<typeof server>
  let url: URL
  let send: ReturnType<typeof createIssuerRequest>
  const get = () => send(url, { method: 'GET', headers: {} })

  beforeEach(async () => {
    connections = 0
    requests = []
    answer = (response) => response.end('{}')
    send = createIssuerRequest()
    running = server()
    running.on('connection', () => {
      connections += 1
    })
    running.listen(0, '127.0.0.1')
    await once(running, 'listening')
    const address = running.address()
    url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/token`)
  })
  afterEach(async () => {
    running.closeAllConnections()
    running.close()
    await once(running, 'close')
  })

  it('sends method, headers and body, and returns status, headers and text', async () => {
    answer = (response) => response.writeHead(201, { 'content-type': 'application/json', 'x-other': 'y' }).end('{"a":"ü"}')
    const got = await send(url, { method: 'POST', headers: { authorization: 'Basic x' }, body: 'code=ü' })
    expect(got).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' })
    expect(requests).toMatchObject([
      { method: 'POST', headers: { authorization: 'Basic x', 'content-length': '7' }, body: 'code=ü' },
    ])
  })

  it('reuses the connection of the previous request', async () => {
    for (let turn = 0; turn < 5; turn += 1) await get()
    expect(connections).toBe(1)
    await Promise.all(Array.from({ length: 5 }, get))
    expect(connections).toBeLessThanOrEqual(5)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes an unrequested answer in %s', async (name, compress) => {
    answer = (response) => response.writeHead(200, { 'content-encoding': name }).end(compress('{"a":1}'))
    expect(await get()).toMatchObject({ body: '{"a":1}' })
    expect(requests).toMatchObject([{ headers: { 'accept-encoding': 'identity' } }])
  })

  it('removes a byte order mark, and replaces invalid UTF-8', async () => {
    answer = (response) => response.end(Buffer.from('\ufeff{"a":"ü\ufeff"}'))
    expect(await get()).toMatchObject({ body: '{"a":"ü\ufeff"}' })
    answer = (response) => response.end(Buffer.from('{"a":"\xfc"}', 'latin1'))
    expect(await get()).toMatchObject({ body: '{"a":"\ufffd"}' })
  })

  it('follows no redirect', async () => {
    answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
    expect(await get()).toMatchObject({ status: 302, body: '' })
    expect(requests).toHaveLength(1)
  })

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['more than a mebibyte', (response) => response.end('x'.repeat(1024 * 1024 + 1)), /more than 1 MiB/],
    [
      'more than a mebibyte after decompression',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1024 * 1024 + 1))),
      /more than 1 MiB/,
    ],
    ['noise for gzip', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('noise'), /cannot be reached/],
    ['no answer', (response) => response.destroy(), /cannot be reached/],
    [
      'half an answer',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half')
        setImmediate(() => response.destroy())
      },
      /cannot be reached/,
    ],
  ])('refuses %s, and continues with the next request', async (_what, odd, message) => {
    answer = odd
    const fault = await get().catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(IssuerFault)
    expect(fault).toMatchObject({ message: expect.stringMatching(message) })
    answer = (response) => response.end('{}')
    expect(await get()).toMatchObject({ status: 200, body: '{}' })
  })

  it('stops decoding a refused answer', async () => {
    const prototype: Readable = Object.getPrototypeOf(createBrotliDecompress())
    const decoded = jest.spyOn(prototype, 'push')
    const bomb = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    answer = (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(bomb)
    await expect(get()).rejects.toThrow(/more than 1 MiB/)
    const pieces = decoded.mock.calls.length
    await sleep(200)
    expect(decoded.mock.calls.length - pieces).toBeLessThanOrEqual(2)
    decoded.mockRestore()
  })

  it.each(['GET', 'POST'])('sends %s again when the provider closes the reused connection', async (method) => {
    const used = new WeakSet<object>()
    answer = (response) => {
      const { socket } = response.req
      if (used.has(socket)) return socket.destroy()
      used.add(socket)
      return response.end('{}')
    }
    for (let turn = 0; turn < 4; turn += 1) expect(await send(url, { method, headers: {} })).toMatchObject({ status: 200 })
    expect(requests).toHaveLength(6)
  })

  it('sends nothing a third time', async () => {
    await get()
    answer = (response) => response.destroy()
    await expect(get()).rejects.toMatchObject({ name: 'IssuerFault', cause: { code: 'ECONNRESET' } })
    expect(requests).toHaveLength(3)
    expect(connections).toBe(2)
  })

  it('accepts one mebibyte', async () => {
    answer = (response) => response.end('x'.repeat(1024 * 1024))
    expect((await get()).body).toHaveLength(1024 * 1024)
  })

  it('throws with the cause when no server answers', async () => {
    const nobody = send(new URL('http://127.0.0.1:1/'), { method: 'GET', headers: {} })
    await expect(nobody).rejects.toMatchObject({ name: 'IssuerFault', cause: { code: 'ECONNREFUSED' } })
  })
})
