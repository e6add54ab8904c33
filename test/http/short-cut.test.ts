import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import { createApp } from '../../functions/app.ts'
import { type AppMessages, createAppMessages } from '../../functions/http/app-messages.ts'
import { createShortCut } from '../../functions/http/short-cut.ts'
import { createHttpFixture, fixturePassword } from '../support/http/http-fixture.ts'
import { createSampleChunk, createSampleRegistry } from '../support/worlds/chunk-samples.ts'
import { storeColumns } from '../support/zones/listed-zone.ts'

const startMs = Date.parse('2026-11-23T12:00:00.000Z')

type Listening = { readonly ask: (text: string) => Promise<string>; readonly close: () => void }

const listen = async (app: RequestListener, messages?: AppMessages): Promise<Listening> => {
  const server = createServer({ ...messages }, app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** Every byte of the answer, but the date. */
    ask: async (text) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(text)
      const pieces: Buffer[] = []
      for await (const piece of socket) pieces.push(piece)
      return Buffer.concat(pieces)
        .toString()
        .replace(/^Date: .*$/m, 'Date')
    },
    close: () => void server.close(),
  }
}

let fixture: Awaited<ReturnType<typeof createHttpFixture>>
let ways: { readonly express: Listening; readonly shortCut: Listening }
const tokens: Record<string, string> = {}
let zoneId = ''
const nobody = 'aaaaaaaa-0000-4000-8000-000000000000'
const gzip = 'Accept-Encoding: gzip\r\n'
const taken: string[] = []

beforeAll(async () => {
  const server = {
    http: { allowedOrigins: ['https://page.example'], trustedProxies: 1, rateLimits: { signInPerMinutePerAccount: 1_000 } },
  }
  fixture = await createHttpFixture({ server }, {}, startMs)
  for (const who of ['player', 'admin'] as const) tokens[who] = (await fixture.issueToken(who)) ?? ''
  const ban = { kind: 'ban', address: '203.0.113.7', reason: 'spam' } as const
  const rules = fixture.deps.permissions.rulesFor(['admin'])
  const boss = { ...fixture.people.admin, verified: true, rules, via: 'http', requestId: 'r' } as const
  await fixture.deps.sanctions.impose(boss, ban)
  const messages = createAppMessages()
  const app = createApp(allRoutes, fixture.deps, messages)
  const counted: RequestListener = (req, res) => {
    app(req, res)
    // Express gives every request that it walks through its routes a base address.
    if (!Object.hasOwn(req, 'baseUrl')) taken.push(`${req.method} ${req.url}`)
  }
  ways = { express: await listen(createApp(allRoutes, fixture.deps)), shortCut: await listen(counted, messages) }
  const world = await fixture.worlds.createWorld({ name: 'default' })
  const registry = createSampleRegistry(['stone', 'soil', 'ore', 'tower'])
  await storeColumns(fixture.chunks, [createSampleChunk(0, 0)], registry, world)
  const zone = JSON.stringify({ name: 'yard', yMin: 0, yMax: 90, chunks: [{ cx: 0, cz: 0 }] })
  const made = await ways.express.ask(request('POST /api/admin/instances', `${json}${bearer('admin')}`, zone))
  zoneId = /^Location: .*\/(\S+)$/m.exec(made)?.[1] ?? ''
})
afterAll(async () => {
  ways.express.close()
  ways.shortCut.close()
  await fixture.close()
})

const id = 'X-Request-Id: mine\r\n'
const request = (line: string, headers = '', body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${id}${headers}${body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`
const bearer = (who: string) => `Authorization: Bearer ${tokens[who]}\r\n`
const json = 'Content-Type: application/json\r\n'

it.each<readonly [what: string, isShort: boolean, text: () => string]>([
  ['a token check', true, () => request('GET /auth/me', bearer('player'))],
  ['a token check without a token', true, () => request('GET /auth/me')],
  ['a token check with a bad token', true, () => request('GET /auth/me', 'Authorization: Bearer nothing\r\n')],
  ['an unknown query', true, () => request('GET /auth/me?x=1', bearer('player'))],
  ['a query that does not decode', true, () => request('GET /auth/me?%', bearer('player'))],
  ['a page of an allowed origin', true, () => request('GET /auth/me', `${bearer('player')}Origin: https://page.example\r\n`)],
  ['a page of another origin', true, () => request('GET /auth/me', `${bearer('player')}Origin: https://else.example\r\n`)],
  ['a banned address', true, () => request('GET /auth/me', `${bearer('player')}X-Forwarded-For: 203.0.113.7\r\n`)],
  ['health, from a banned address too', true, () => request('GET /healthz', 'X-Forwarded-For: 203.0.113.7\r\n')],
  ['a list', true, () => request('GET /api/admin/users?limit=1', bearer('admin'))],
  ['a list to who may not', true, () => request('GET /api/admin/users?limit=1', bearer('player'))],
  ['a condition', true, () => request('GET /api/auth/config', 'If-None-Match: "x"\r\n')],
  ['a refused sign-in', true, () => request('POST /auth/login', json, '{"email":"player@example.com"')],
  ['a name that is none', true, () => request('POST /auth/login', json, '{"email":"new@example.com","displayName":""}')],
  ['a name of another type', true, () => request('POST /auth/login', json, '{"email":"new@example.com","displayName":7}')],
  ['a wrong media type', true, () => request('POST /auth/login', 'Content-Type: text/plain\r\n', 'x')],
  ['a sign-in without a body', true, () => request('POST /auth/login')],
  ['an absolute target', true, () => request('GET http://x/auth/me', bearer('player'))],
  [
    'a sign-in by a wrong password',
    true,
    () => request('POST /auth/password', `${json}${bearer('player')}`, '{"current":"x","next":"y"}'),
  ],
  ['blocks of a zone', true, () => request(`GET /api/admin/instances/${zoneId}/blocks`, bearer('admin'))],
  [
    'blocks of a column, as gzip',
    true,
    () => request(`GET /api/admin/instances/${zoneId}/blocks?cx=0&cz=0`, `${gzip}${bearer('admin')}`),
  ],
  ['blocks to who may not see them', true, () => request(`GET /api/admin/instances/${zoneId}/blocks`, bearer('player'))],
  ['blocks of no zone', true, () => request(`GET /api/admin/instances/${nobody}/blocks`, bearer('admin'))],
  ['a zone under another method', false, () => request(`PATCH /api/admin/instances/${zoneId}/blocks`, bearer('admin'))],
  ['an id in capitals', false, () => request(`GET /api/admin/instances/${nobody.toUpperCase()}/blocks`, bearer('admin'))],
  ['an id that is called id', false, () => request('GET /api/admin/instances/:id/blocks', bearer('admin'))],
  ['an id that is none', false, () => request('GET /api/admin/instances/%41/blocks', bearer('admin'))],
  ['HEAD', false, () => request('HEAD /auth/me', bearer('player'))],
  ['OPTIONS', false, () => request('OPTIONS /auth/me')],
  ['another method', false, () => request('DELETE /auth/me', bearer('player'))],
  ['another address', false, () => request('GET /auth/me/', bearer('player'))],
  ['a path that does not decode', false, () => request('GET /auth/%')],
  ['a path with a parameter', false, () => request('GET /api/admin/users/nobody%40example.com', bearer('admin'))],
])('answers %s to the byte as express does; by a short cut: %j', async (_what, isShort, text) => {
  taken.length = 0
  const short = await ways.shortCut.ask(text())
  expect(short).toBe(await ways.express.ask(text()))
  expect(short).toMatch(/^HTTP\/1.1 \d+ /)
  expect(taken.length > 0).toBe(isShort)
})

it('lists the blocks of a zone by a short cut', async () => {
  const listed = await ways.shortCut.ask(request(`GET /api/admin/instances/${zoneId}/blocks`, bearer('admin')))
  expect(listed).toMatch(/^HTTP\/1.1 200 OK/)
  expect(listed).toMatch(/^X-Total-Blocks: [1-9]/m)
  expect(listed).toContain('"type":"stone"')
})

it('signs in by a short cut, and renews', async () => {
  const body = JSON.stringify({ email: 'player@example.com', password: fixturePassword })
  expect(await ways.shortCut.ask(request('POST /auth/login', json, body))).toMatch(/^HTTP\/1.1 200 OK/)
  expect(await ways.shortCut.ask(request('POST /auth/renew', bearer('player')))).toMatch(/^HTTP\/1.1 200 OK/)
})

it('tells metrics of a request by a short cut once', async () => {
  const before = fixture.observed.length
  await ways.shortCut.ask(request('GET /auth/me', bearer('player')))
  expect(fixture.observed.slice(before)).toEqual([expect.objectContaining({ method: 'GET', path: '/auth/me', status: 200 })])
})

it('has no address that express would give to an earlier route with a parameter', () => {
  const patternOf = (path: string) =>
    new RegExp(
      `^${path
        .replace(/[.()+]/g, '\\$&')
        .replace(/[:]\w+/g, '[^/]+')
        .replace(/[*]\w+/g, '.+')}$`,
    )
  const shadowed = allRoutes.flatMap((route, at) =>
    allRoutes
      .slice(0, at)
      .filter(({ method, path }) => method === route.method && /[:*]/.test(path) && patternOf(path).test(route.path))
      .map(({ path }) => `${route.path} behind ${path}`),
  )
  expect(shadowed.filter((one) => /^[^:*]*(\/:id\/[^/:*]+)? behind /.test(one))).toEqual([])
  expect(patternOf('/a/:id').test('/a/b')).toBe(true)
})

it('answers 500 for a route that neither answers nor fails', async () => {
  const [first] = allRoutes
  if (first === undefined) throw new Error('there are routes')
  const messages = createAppMessages()
  const idle = createShortCut(new Map([[{ ...first, method: 'get', path: '/idle' }, (_req, _res, next) => next()]]), {
    before: [],
    onError: (_error, _req, res) => void res.end('failed'),
  })
  const listening = await listen((req, res) => void idle(req, res), messages)
  expect(await listening.ask(request('GET /idle'))).toContain('failed')
  listening.close()
})
