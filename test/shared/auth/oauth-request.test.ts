import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createIssuerRequest, IssuerFault } from '../../../shared/auth/oauth-request.ts'

describe('a request to an identity provider', () => {
  let answer: (response: ServerResponse) => void
  let connections: number
  let asked: { readonly method: string | undefined; readonly headers: object; readonly body: string }[]
  const server = () =>
    createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      asked.push({ method: request.method, headers: request.headers, body })
      answer(response)
    })
  let running: ReturnType<typeof server>
  let url: URL
  let send: ReturnType<typeof createIssuerRequest>
  const get = () => send(url, { method: 'GET', headers: {} })

  beforeEach(async () => {
    connections = 0
    asked = []
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

  it('sends method, headers and body, and brings status, headers and text', async () => {
    answer = (response) => response.writeHead(201, { 'content-type': 'application/json', 'x-other': 'y' }).end('{"a":"ü"}')
    const got = await send(url, { method: 'POST', headers: { authorization: 'Basic x' }, body: 'code=ü' })
    expect(got).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' })
    expect(asked).toMatchObject([
      { method: 'POST', headers: { authorization: 'Basic x', 'content-length': '7' }, body: 'code=ü' },
    ])
  })

  it('goes over the connection of the one before it', async () => {
    for (let turn = 0; turn < 5; turn += 1) await get()
    expect(connections).toBe(1)
    await Promise.all(Array.from({ length: 5 }, get))
    expect(connections).toBeLessThanOrEqual(5)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reads what comes as %s though it did not ask for that', async (name, compress) => {
    answer = (response) => response.writeHead(200, { 'content-encoding': name }).end(compress('{"a":1}'))
    expect(await get()).toMatchObject({ body: '{"a":1}' })
    expect(asked).toMatchObject([{ headers: { 'accept-encoding': 'identity' } }])
  })

  it('follows no redirect', async () => {
    answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
    expect(await get()).toMatchObject({ status: 302, body: '' })
    expect(asked).toHaveLength(1)
  })

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['more than a mebibyte', (response) => response.end('x'.repeat(1024 * 1024 + 1)), /more than 1 MiB/],
    [
      'more than a mebibyte that came small',
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
  ])('refuses %s, and goes on with the next', async (_what, odd, message) => {
    answer = odd
    const fault = await get().catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(IssuerFault)
    expect(fault).toMatchObject({ message: expect.stringMatching(message) })
    answer = (response) => response.end('{}')
    expect(await get()).toMatchObject({ status: 200, body: '{}' })
  })

  it('takes a mebibyte', async () => {
    answer = (response) => response.end('x'.repeat(1024 * 1024))
    expect((await get()).body).toHaveLength(1024 * 1024)
  })

  it('tells why nobody answered', async () => {
    const nobody = send(new URL('http://127.0.0.1:1/'), { method: 'GET', headers: {} })
    await expect(nobody).rejects.toMatchObject({ name: 'IssuerFault', cause: { code: 'ECONNREFUSED' } })
  })
})
