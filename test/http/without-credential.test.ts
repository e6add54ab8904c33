import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import { createServiceRoutes } from '../../functions/service/routes.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createMemoryRateLimiter } from '../../shared/platform/limits/rate-limiter.ts'
import { doors } from './doors.ts'

const tooMany = { status: 429, body: { type: '/problems/too-many-requests' } }
const under = (requestsPerMinutePerAddress: number) => ({ server: { http: { rateLimits: { requestsPerMinutePerAddress } } } })
const documents = ['/api/openapi.json', '/api/docs', '/api/asyncapi.json']

describe.each(doors)('requests without a credential through %s', (_name, open) => {
  it.each([
    ['a document', '/api/docs', 200],
    ['a redirect', '/problems/not-found', 302],
    ['an address without a route', '/nowhere', 404],
    ['a route that needs a token', '/auth/me', 401],
  ])('count by address: %s', async (_what, path, status) => {
    const { get } = await open({ configs: under(2) })
    for (let turn = 0; turn < 2; turn += 1) expect((await get(path)).status).toBe(status)
    const answer = await get(path)
    expect(answer).toMatchObject(tooMany)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(await get('/api/openapi.json')).toMatchObject(tooMany)
  })

  it('count with an invalid token, and with an unsupported method', async () => {
    const { request } = await open({ configs: under(2) })
    const headers = { authorization: 'Bearer 00000000-0000-4000-8000-000000000000' }
    expect((await request('GET', '/auth/me', { headers })).status).toBe(401)
    expect((await request('DELETE', '/api/docs', { headers })).status).toBe(405)
    expect(await request('GET', '/auth/me', { headers })).toMatchObject(tooMany)
  })

  it('count sign-ins too', async () => {
    const { post } = await open({ configs: under(1) })
    expect((await post('/auth/login', { email: 'player@example.com' })).status).toBe(200)
    expect(await post('/auth/login', { email: 'player@example.com' })).toMatchObject(tooMany)
  })

  it('never count health checks and requests with a live token', async () => {
    const { get, post, request } = await open({ configs: under(1) })
    const { token } = (await post('/auth/login', { email: 'player@example.com' })).body
    expect(await get('/api/docs')).toMatchObject(tooMany)
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await get('/healthz')).status).toBe(200)
      expect((await get('/readyz')).status).toBe(200)
      expect((await request('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    }
  })

  it('count within the process while the shared count is unavailable', async () => {
    const away = async () => {
      throw new AppError('unavailable', 'service-unavailable', 'Redis does not answer.', { retryAfterSeconds: 1 })
    }
    const limiter = { ...createMemoryRateLimiter(), consume: away }
    const { get } = await open({ configs: under(1), deps: { limiter } })
    expect((await get('/api/docs')).status).toBe(200)
    expect(await get('/api/docs')).toMatchObject(tooMany)
  })

  it.each(documents)('are answered with %s in an accepted coding, with a tag for each', async (path) => {
    const { request } = await open()
    const plain = await request('GET', path)
    const answers = await Promise.all(
      ['br', 'gzip'].map((coding) => request('GET', path, { headers: { 'accept-encoding': coding } })),
    )
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip'])
    expect(new Set([plain, ...answers].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers, bytes } of answers) {
      expect(bytes.length).toBeLessThan(plain.bytes.length)
      expect(headers.vary).toMatch(/Accept-Encoding/)
      const again = await request('GET', path, {
        headers: { 'accept-encoding': headers['content-encoding'] ?? '', 'if-none-match': headers.etag ?? '' },
      })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
    }
  })

  it('create each document once, and again after a failed attempt', async () => {
    let loaded = 0
    const routes = createServiceRoutes(async () => {
      loaded += 1
      if (loaded === 1) throw new Error('not yet')
      return allRoutes
    })
    const { get } = await open({ routes })
    expect((await get('/api/openapi.json')).status).toBe(500)
    for (let turn = 0; turn < 3; turn += 1) expect((await get('/api/openapi.json')).status).toBe(200)
    expect(loaded).toBe(2)
  })
})
