import { describe, expect, it } from '@jest/globals'
import { createConventionRoutes } from '../support/http/convention-routes.ts'
import { bothDoors, type OpenOptions } from './doors.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe.each(bothDoors)('an answer through %s', (_name, openDoor) => {
  const open = async (options: OpenOptions = {}) => {
    const { routes, calls } = createConventionRoutes()
    return { ...(await openDoor({ routes, ...options })), calls }
  }

  it('echoes a valid request id, passes it to the handler and writes it on every log line', async () => {
    const { get, lines } = await open()
    const answer = await get('/open', { 'x-request-id': 'trace.me_1-A' })
    expect(answer.headers['x-request-id']).toBe('trace.me_1-A')
    expect(answer.body.requestId).toBe('trace.me_1-A')
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.every((line) => line.requestId === 'trace.me_1-A')).toBe(true)
  })

  it.each(['', 'a b', 'a=b', 'x'.repeat(65), 'a\u00ff', '<script>'])('replaces %j with a new request id', async (sent) => {
    const { get } = await open()
    const answer = await get('/open', { 'x-request-id': sent })
    expect(answer.headers['x-request-id']).toMatch(uuid)
  })

  it('has the security headers for any status, and does not name the framework', async () => {
    const { get } = await open()
    for (const path of ['/open', '/broken', '/nowhere', '/%zz']) {
      const { headers } = await get(path)
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'self'"),
        'strict-transport-security': expect.any(String),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'x-request-id': expect.stringMatching(uuid),
      })
      expect(headers['x-powered-by']).toBeUndefined()
    }
  })

  it('is not cacheable without an entity tag, and otherwise revalidated each time', async () => {
    const { get } = await open()
    expect((await get('/open')).headers['cache-control']).toBe('no-store')
    expect((await get('/things/1')).headers['cache-control']).toBe('private, no-cache')
  })

  it('of a failing route is a bare 500, logged once with its cause and request id', async () => {
    const { get, lines } = await open()
    const answer = await get('/broken', { 'x-request-id': 'fault-1' })
    expect(answer.status).toBe(500)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(answer.body).toEqual({
      type: '/problems/internal-error',
      title: 'Internal error',
      status: 500,
      detail: expect.any(String),
      instance: '/broken',
    })
    expect(answer.text).not.toMatch(/secret|etc|Error:|\.ts/)
    const faults = lines.filter(({ level }) => level === 50)
    expect(faults).toMatchObject([{ requestId: 'fault-1', err: { message: expect.stringContaining('secret-of-the-house') } }])
  })

  it('that cannot be serialized is a plain 500', async () => {
    const { get } = await open()
    expect((await get('/unsendable')).status).toBe(500)
    expect((await get('/open')).status).toBe(200)
  })

  it.each([
    ['not-found', 404, '/problems/not-found', {}],
    ['conflict', 409, '/problems/already-exists', {}],
    ['stale', 412, '/problems/stale', {}],
    ['unprocessable', 422, '/problems/unknown-group', {}],
    ['limited', 429, '/problems/too-many-requests', { 'retry-after': '3' }],
    ['unavailable', 503, '/problems/service-unavailable', { 'retry-after': '2' }],
  ])('reports %s as %i with the type %s', async (kind, status, type, headers) => {
    const { request } = await open()
    const answer = await request('POST', `/conflicts/${kind}?`)
    expect(answer).toMatchObject({
      status,
      headers,
      body: { type, status, instance: `/conflicts/${kind}`, detail: expect.any(String) },
    })
    expect(answer.text).not.toContain('secret')
    expect(answer.body.errors).toEqual(kind === 'unprocessable' ? [{ pointer: '/groups/0', message: 'is unknown' }] : undefined)
  })

  it('writes neither query, nor body, nor token into the log', async () => {
    const { request, get, lines, token } = await open({ as: 'admin' })
    await get('/open?q=the-query')
    await request('POST', '/things', { body: { name: 'the-body', size: 99 } })
    await request('POST', '/things', { body: { name: 'the-bod', size: 9 } })
    await get('/broken?q=the-query')
    const text = JSON.stringify(lines)
    expect(lines.length).toBeGreaterThan(3)
    expect(text).not.toMatch(/the-query|the-bod/)
    expect(text).not.toContain(token)
  })

  it('is counted by route pattern, so that clients cannot create label values', async () => {
    const { get, request, observed } = await open()
    await get('/things/7')
    await get('/nowhere/at/all')
    await request('PUT', '/open')
    expect(observed.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/things/:id', 200],
      ['GET', 'unmatched', 404],
      ['PUT', '/open', 405],
    ])
  })
})

describe.each(bothDoors)('an address through %s', (_name, openDoor) => {
  const open = () => openDoor({ routes: createConventionRoutes().routes })

  it('without a route answers 404', async () => {
    const { get } = await open()
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
    for (const [path, start] of [
      ['/nowhere', ''],
      ['/nowhere/at/all', '../../'],
      ['/'.repeat(500), '/'],
    ] as const) {
      const page = await get(path, browser)
      expect(page).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
      for (const to of ['play', 'console', 'api/docs']) expect(page.text).toContain(`href="${start}${to}"`)
    }
    expect((await get('/nowhere', { accept: '*/*' })).headers).toMatchObject({
      'content-type': 'application/problem+json',
      vary: expect.stringContaining('Accept'),
    })
    const answer = await get('/nowhere?x=1')
    expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found', instance: '/nowhere' } })
    expect(answer.headers['content-type']).toBe('application/problem+json')
  })

  it.each(['/Open', '/open/', '//open', '/open/..', '/things', '/OPEN'])('is exact: GET %s answers 404 or 405', async (path) => {
    expect([404, 405]).toContain((await (await open()).get(path)).status)
  })

  it('answers 405 with Allow to an unsupported method', async () => {
    const { request } = await open()
    const answer = await request('PATCH', '/things/1')
    expect(answer).toMatchObject({ status: 405, body: { type: '/problems/method-not-allowed' } })
    expect(answer.headers.allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
    expect((await request('DELETE', '/open')).headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  it('answers HEAD as GET without the body', async () => {
    const { request, get } = await open()
    const [head, full] = [await request('HEAD', '/things/1'), await get('/things/1')]
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers).toMatchObject({ etag: full.headers.etag, 'content-length': full.headers['content-length'] })
    expect((await request('HEAD', '/echo')).status).toBe(405)
  })

  it('answers OPTIONS with 204 and Allow, and 404 without a route', async () => {
    const { request } = await open()
    const answer = await request('OPTIONS', '/echo')
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers.allow).toBe('POST, OPTIONS')
    expect((await request('OPTIONS', '/nowhere')).status).toBe(404)
  })

  it.each(['/things/%zz', '/things/%', '/things/%ff', '/things/%c0%ae', '/open?q=%zz', '/open?q=%ff'])(
    'refuses malformed percent-encoding: %s',
    async (path) => {
      expect(await (await open()).get(path)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    },
  )

  it('refuses a path that does not match its schema', async () => {
    const answer = await (await open()).get('/things/nothing')
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/id', message: expect.any(String) }] } })
  })
})

describe.each(bothDoors)('a query through %s', (_name, openDoor) => {
  const open = () => openDoor({ routes: createConventionRoutes().routes })

  it('is read by its schema', async () => {
    const answer = await (await open()).get('/open?limit=5&q=a%20b+c')
    expect(answer.body.query).toEqual({ limit: 5, q: 'a b c' })
  })

  it.each([
    ['/open?limit=1&limit=2', '/limit'],
    ['/open?unknown=1', '/unknown'],
    ['/open?limit=0', '/limit'],
    ['/open?limit=many', '/limit'],
    ['/open?limit=', '/limit'],
    ['/open?__proto__=1', '/__proto__'],
    ['/open?a~b/c=1', '/a~0b~1c'],
    ['/things/1?x=1', '/x'],
  ])('%s is refused with a pointer to the fault', async (path, pointer) => {
    const answer = await (await open()).get(path)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request', errors: [{ pointer }] } })
  })

  it.each([
    ['with unknown keys', '/open', (at: number) => `k${at}=1`],
    ['on a route without a query', '/things/1', (at: number) => `k${at}=1`],
    ['with every key twice', '/open', (at: number) => `k${at % 22}=1`],
  ])('of many keys %s answers its first twenty faults', async (_name, path, keyOf) => {
    const answer = await (await open()).get(`${path}?${Array.from({ length: 44 }, (_, at) => keyOf(at)).join('&')}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(21)
    expect(answer.body.errors[20]).toEqual({ message: 'and more; only the first faults are listed' })
  })
})

describe.each(bothDoors)('an entity tag through %s', (_name, openDoor) => {
  const open = () => openDoor({ routes: createConventionRoutes().routes })

  it.each(['"version-1"', 'W/"version-1"', '"other", "version-1"', '*', ' "version-1" '])(
    'If-None-Match %s answers 304',
    async (header) => {
      const answer = await (await open()).get('/things/1', { 'if-none-match': header })
      expect(answer).toMatchObject({ status: 304, text: '' })
      expect(answer.headers.etag).toBe('"version-1"')
    },
  )

  it.each(['"version-2"', 'version-1', '"version-1', '""', 'W/version-1', '"other" "version-1"'])(
    'If-None-Match %s answers the whole body',
    async (header) => {
      const answer = await (await open()).get('/things/1', { 'if-none-match': header })
      expect(answer).toMatchObject({ status: 200, body: { id: 1 } })
      expect(answer.headers.etag).toBe('"version-1"')
    },
  )

  it.each([
    ['"abc"', 'abc'],
    ['*', null],
    ['W/"weak", "strong"', 'strong'],
    ['""', ''],
  ])('If-Match %s reaches the handler as %j', async (header, ifMatch) => {
    const answer = await (await open()).put('/things/1', undefined, { 'if-match': header })
    expect(answer).toMatchObject({ status: 200, body: { ifMatch } })
  })

  it.each([
    ['W/"weak"', 412],
    ['"a", "b"', 400],
    ['abc', 400],
    ['"abc', 400],
    ['', 400],
  ])('If-Match %j is refused with %i', async (header, status) => {
    expect((await (await open()).put('/things/1', undefined, { 'if-match': header })).status).toBe(status)
  })
})
