import { once } from 'node:events'
import { createServer, get, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createFront } from '../../../infra/lambda-offline/lambda-offline-front.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const listen = async (server: Server): Promise<number> => {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const open = async (functions: RequestListener): Promise<string> => {
  const httpPort = await listen(createServer(functions))
  return `http://127.0.0.1:${await listen(createFront({ httpPort, baseUrl: 'https://game.example.org', streams: async () => undefined }))}`
}

/** The headers that serverless-offline adds to every answer to a page. */
const added = { 'access-control-allow-origin': 'https://other.example.com', 'access-control-allow-credentials': 'true' }

describe('the address in front of functions on this machine', () => {
  it('admits only pages of other origins that the function admits', async () => {
    const url = await open((_req, res) => res.writeHead(200, { ...added, 'x-request-id': 'one' }).end('ok'))
    const answer = await fetch(url)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(answer.headers.get('x-request-id')).toBe('one')
    expect(await answer.text()).toBe('ok')
  })

  it.each([
    '/api/admin/configs/skills/../groups.yaml',
    '/api/admin/configs/skills/%2e%2e/groups.yaml',
    '/api/admin/configs/skills/.%2E/groups.yaml',
    '/api/admin/configs/./groups.yaml',
    '/api/admin/configs/%2e/groups.yaml',
    '/api/admin/configs/skills\\attacks.yaml',
    '/..',
  ])('answers 404 to %s, which the functions would read as another path', async (path) => {
    const requests: (string | undefined)[] = []
    const { port } = new URL(await open((req, res) => res.end(requests.push(req.url))))
    // Unlike fetch, this does not normalize the address.
    const [answer] = await once(get({ port, path }), 'response')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/problem+json'])
    expect(requests).toEqual([])
  })

  it.each([
    ['other.example.com', 421],
    ['game.example.org', 200],
    ['localhost:3000', 200],
  ])('answers a request for the host %s with %s', async (host, status) => {
    const { port } = new URL(await open((_req, res) => res.end('ok')))
    const [answer] = await once(get({ port, path: '/', headers: { host } }), 'response')
    expect(answer.statusCode).toBe(status)
  })

  it.each(['/api/admin/configs/a..b', '/?q=../x', '/a%2fb', '/...'])('passes %s on', async (path) => {
    const { port } = new URL(await open((req, res) => res.end(req.url)))
    const [answer] = await once(get({ port, path }), 'response')
    expect(answer.statusCode).toBe(200)
  })

  it('sends the next request over the same connection', async () => {
    const ports = new Set<number | undefined>()
    const url = await open((req, res) => res.end(String(ports.add(req.socket.remotePort).size)))
    for (let count = 0; count < 3; count += 1) expect(await (await fetch(url)).text()).toBe('1')
  })

  it('answers no preflight that the function did not answer', async () => {
    const echoed = {
      'access-control-allow-methods': 'DELETE',
      'access-control-expose-headers': 'etag',
      'access-control-max-age': '600',
    }
    const url = await open((_req, res) => res.writeHead(200, { ...added, ...echoed }).end())
    const answer = await fetch(url, { method: 'OPTIONS' })
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('passes on the CORS headers of the function to pages that it admits', async () => {
    const own = { 'access-control-expose-headers': 'ETag,X-Request-Id' }
    const url = await open((_req, res) => res.writeHead(200, { ...added, ...own }).end())
    const { headers } = await fetch(url)
    expect(headers.get('access-control-allow-origin')).toBe('https://other.example.com')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const preflight = await open((_req, res) => res.writeHead(200, { ...added, 'access-control-allow-methods': 'GET,PUT' }).end())
    expect((await fetch(preflight)).headers.get('access-control-allow-methods')).toBe('GET,PUT')
  })
})
