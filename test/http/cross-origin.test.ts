import { describe, expect, it } from '@jest/globals'
import { createConventionRoutes } from '../support/http/convention-routes.ts'
import { bothDoors } from './doors.ts'

const allowed = 'https://admin.example.org'
const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization,if-match' }

const corsHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

describe.each(bothDoors)('CORS through %s', (_name, openDoor) => {
  const open = (allowedOrigins: readonly string[]) =>
    openDoor({ routes: createConventionRoutes().routes, configs: { server: { http: { allowedOrigins } } } })

  it('is off unless origins are listed', async () => {
    const { get, request } = await open([])
    expect(corsHeaders((await get('/open', { origin: allowed })).headers)).toEqual([])
    const answer = await request('OPTIONS', '/things/1', { headers: { origin: allowed, ...preflight } })
    expect(answer.status).toBe(204)
    expect(corsHeaders(answer.headers)).toEqual([])
  })

  it('lets a listed origin read answers and relevant headers, without credentials', async () => {
    const { get } = await open([allowed])
    for (const path of ['/open', '/nowhere', '/mine']) {
      const { headers } = await get(path, { origin: allowed })
      expect(headers).toMatchObject({ 'access-control-allow-origin': allowed, vary: expect.stringMatching(/^Origin/) })
      expect(headers['access-control-expose-headers']).toBe(
        'ETag,X-Request-Id,Retry-After,Location,X-Total-Blocks,X-Block-Limit,X-Config-Source,X-Config-Effect',
      )
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  it('answers the preflight of a listed origin', async () => {
    const { request } = await open([allowed])
    const answer = await request('OPTIONS', '/things/1', { headers: { origin: allowed, ...preflight } })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    })
  })

  it.each([
    'https://admin.example.org.evil.test',
    'http://admin.example.org',
    'https://admin.example.org:8443',
    'https://evil.test',
    'HTTPS://ADMIN.EXAMPLE.ORG',
    'null',
    '*',
  ])('gives %s no headers', async (origin) => {
    const { get, request } = await open([allowed])
    const answer = await get('/open', { origin })
    expect(corsHeaders(answer.headers)).toEqual([])
    expect(answer.headers.vary).toBe('Origin')
    expect(corsHeaders((await request('OPTIONS', '/open', { headers: { origin, ...preflight } })).headers)).toEqual([])
  })

  it('sends Vary: Origin to caches, also for requests without an origin', async () => {
    expect((await (await open([allowed])).get('/open')).headers.vary).toBe('Origin')
  })

  const onThisMachine = (origin: string, host = '127.0.0.1:3000') => ({ origin, host })

  it.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'https://127.9.9.9', 'http://[::1]:4000', 'http://localhost'])(
    'allows %s while the server is on loopback',
    async (origin) => {
      const { get, request } = await openDoor({ routes: createConventionRoutes().routes, deps: { loopbackPages: true } })
      const { headers } = await get('/open', onThisMachine(origin))
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
      const preflighted = await request('OPTIONS', '/things/1', { headers: { ...onThisMachine(origin), ...preflight } })
      expect(preflighted.headers['access-control-allow-origin']).toBe(origin)
    },
  )

  it.each([
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://evil.test',
    'http://192.168.0.2',
    'http://127.1',
    'http://localhost:5173/',
    'file://localhost',
    'null',
  ])('refuses %s even then', async (origin) => {
    const { get } = await openDoor({ routes: createConventionRoutes().routes, deps: { loopbackPages: true } })
    expect(corsHeaders((await get('/open', onThisMachine(origin))).headers)).toEqual([])
  })

  it.each([
    ['is not on loopback', { loopbackPages: false }, {}, '127.0.0.1:3000'],
    ['has a proxy in front', { loopbackPages: true }, { server: { http: { trustedProxies: 1 } } }, '127.0.0.1:3000'],
    ['is requested under another name', { loopbackPages: true }, {}, 'game.example.org'],
  ])('refuses pages of this machine when the server %s', async (_what, deps, configs, host) => {
    const { get } = await openDoor({ routes: createConventionRoutes().routes, deps, configs })
    const answer = await get('/open', onThisMachine('http://localhost:5173', host))
    expect(corsHeaders(answer.headers)).toEqual([])
  })

  it('follows the active config', async () => {
    const { get, configs } = await open([])
    configs.set({ server: { http: { allowedOrigins: [allowed] } } })
    expect((await get('/open', { origin: allowed })).headers['access-control-allow-origin']).toBe(allowed)
  })
})
