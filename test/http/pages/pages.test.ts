import { describe, expect, it } from '@jest/globals'
import type { PageFile, Pages } from '../../../shared/domain/pages/pages.ts'
import { bothDoors } from '../doors.ts'

const file = (text: string, contentType: string): PageFile => ({
  contentType,
  etag: `of-${text.length}`,
  bytes: Buffer.from(text),
  encoded: { br: Buffer.from(`br ${text}`), gzip: Buffer.from(`gz ${text}`) },
})

const html = file('<!doctype html>', 'text/html; charset=utf-8')
const script = file('export {}', 'text/javascript; charset=utf-8')
const pages: Pages = {
  findPage: async (name) => (name === 'play' ? html : undefined),
  findFile: async (name) => (name === 'main-ABCDEFGH.js' ? script : undefined),
}

describe.each(bothDoors)('the pages through %s', (_name, open) => {
  it('answer HTML to anyone, revalidated each time', async () => {
    const { get } = await open({ deps: { pages } })
    const answer = await get('/play')
    expect(answer).toMatchObject({
      status: 200,
      text: '<!doctype html>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.headers.vary).toContain('Accept-Encoding')
    expect(await get('/play', { 'if-none-match': answer.headers.etag ?? '' })).toMatchObject({ status: 304, text: '' })
  })

  it.each([
    '/play',
    '/console',
    '/claim',
    '/',
    '/problems/not-found',
    '/api/docs',
    '/api/docs/style.css',
    '/api/docs/script.js',
    '/pages/main-ABCDEFGH.js',
  ])('ignore the query of a link: %s', async (path) => {
    for (const findPage of [pages.findPage, async () => html]) {
      const { get } = await open({ deps: { pages: { ...pages, findPage } } })
      const { status } = await get(path)
      for (const query of ['utm_source=x', 'a=1&a=2', 'q=100%', 'a&'.repeat(60)])
        expect((await get(`${path}?${query}`)).status).toBe(status)
    }
  })

  it('serve the client library, revalidated each time', async () => {
    const tarball = { contentType: 'application/gzip', etag: 'of-client', bytes: Buffer.from([0x1f, 0x8b, 0xff]), encoded: {} }
    const { get } = await open({ deps: { pages: { ...pages, findFile: async () => tarball } } })
    const answer = await get('/pages/gatehouse-client.tgz')
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/gzip', 'cache-control': 'no-cache' } })
    expect((await get('/pages/gatehouse-client.tgz', { 'if-none-match': answer.headers.etag ?? '' })).status).toBe(304)
  })

  it('redirect the link of a claim to the console if it is built', async () => {
    const { get } = await open({ deps: { pages: { ...pages, findPage: async () => html } } })
    expect(await get('/claim')).toMatchObject({ status: 302, headers: { location: 'console' } })
    const { get: getWithout } = await open({ deps: { pages } })
    expect(await getWithout('/claim')).toMatchObject({ status: 200 })
  })

  it('allow no other origins, no inline scripts and no frames', async () => {
    const { get } = await open({ deps: { pages } })
    const { headers } = await get('/play')
    expect(headers['content-security-policy']?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self' ws://127.0.0.1:3000",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      'trusted-types gatehouse',
      "worker-src 'self'",
    ])
    expect((await get('/pages/main-ABCDEFGH.js')).headers['content-security-policy']).toContain("script-src 'self'")
  })

  it('allow connections to nodes that take sessions over, and load while these are unknown', async () => {
    const node = {
      nodeId: 'n',
      world: 'default',
      url: 'https://node-7.example',
      sessions: 0,
      maxSessions: 9,
      state: 'ready',
      fence: 1,
    }
    const opened = await open({ deps: { pages, nodes: { list: async () => [node as never] } } })
    const { headers } = await opened.get('/play')
    expect(headers['content-security-policy']).toContain("connect-src 'self' ws://127.0.0.1:3000 wss://node-7.example;")
    const away = await open({ deps: { pages, nodes: { list: () => Promise.reject(new Error('away')) } } })
    expect(await away.get('/play')).toMatchObject({ status: 200 })
    expect((await away.get('/play')).headers.etag).not.toBe(headers.etag)
  })

  it('cache files for a year, under names that change with their content', async () => {
    const { get } = await open({ deps: { pages } })
    const answer = await get('/pages/main-ABCDEFGH.js')
    expect(answer).toMatchObject({ status: 200, text: 'export {}' })
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })

  it.each([
    ['br, gzip', 'br', 'br export {}'],
    ['gzip', 'gzip', 'gz export {}'],
    ['gzip;q=1, br;q=0', 'gzip', 'gz export {}'],
    ['identity', undefined, 'export {}'],
    ['', undefined, 'export {}'],
  ])('answer a client that accepts %j with the coding %s and an entity tag of its own', async (accepted, coding, text) => {
    const { get } = await open({ deps: { pages } })
    const answer = await get('/pages/main-ABCDEFGH.js', { 'accept-encoding': accepted })
    expect(answer).toMatchObject({ status: 200, text })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers.etag).toBe(coding === undefined ? '"of-9"' : `"of-9-${coding}"`)
    expect(answer.headers['content-length']).toBe(String(text.length))
    const same = { 'accept-encoding': accepted, 'if-none-match': answer.headers.etag ?? '' }
    expect(await get('/pages/main-ABCDEFGH.js', same)).toMatchObject({ status: 304, text: '' })
  })

  it('answer HEAD as GET without a body', async () => {
    const { request } = await open({ deps: { pages } })
    expect(await request('HEAD', '/pages/main-ABCDEFGH.js')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '9' },
    })
  })

  it.each([
    '/console',
    '/pages/other.js',
    '/pages/play.html',
    '/pages/..%2F..%2Fpackage.json',
    '/pages/__proto__',
    '/pages/constructor',
    '/play/',
  ])('answer %s with an uncacheable 404', async (path) => {
    const { get } = await open({ deps: { pages } })
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('accept only GET and HEAD', async () => {
    const { post } = await open({ deps: { pages } })
    expect(await post('/play', {})).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
  })

  it('are the target of the bare address', async () => {
    const { get } = await open({ deps: { pages } })
    expect(await get('/')).toMatchObject({ status: 302, headers: { location: 'play' } })
  })
})
