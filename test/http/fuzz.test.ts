import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createApp } from '../../functions/app.ts'
import { createConventionRoutes } from '../support/http/convention-routes.ts'
import type { DoorAnswer } from '../support/http/door.ts'
import { createHttpFixture } from '../support/http/http-fixture.ts'
import { doors } from './doors.ts'

const seeded = { seed: 20261120, numRuns: 120 } as const

const segment = fc.oneof(
  fc.constantFrom(
    'api',
    'admin',
    'users',
    'groups',
    'audit',
    'auth',
    'login',
    'me',
    'renew',
    'callback',
    'healthz',
    'problems',
    'docs',
    '..',
    '.',
    '',
  ),
  fc.constantFrom(
    '%2e%2e',
    '%00',
    '%zz',
    '%',
    '%ff',
    '%c0%af',
    '%2f',
    '%5c',
    '%F0%9F%98%80',
    '*',
    ':email',
    ';',
    '@',
    '~',
    '__proto__',
  ),
  fc.string({ maxLength: 8 }).map(encodeURIComponent),
)
const path = fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`)
const query = fc.oneof(
  fc.constant(''),
  fc.constantFrom(
    '?',
    '?limit=1',
    '?limit=-1',
    '?limit=1&limit=2',
    '?cursor=',
    '?q=%zz',
    '?%00=%00',
    '?__proto__[a]=1',
    '?&&==&',
  ),
  fc.string({ maxLength: 12 }).map((text) => `?${encodeURIComponent(text)}`),
)
const headerText = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 40 })
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'content-type',
    'if-match',
    'if-none-match',
    'x-request-id',
    'x-forwarded-for',
    'origin',
    'cookie',
    'content-encoding',
    'authorization',
    'range',
  ),
  fc.oneof(
    headerText,
    fc.constantFrom('application/json', '*', 'W/"', '"', ',,,', 'Bearer x', 'null', 'gzip', 'application/json; charset=utf-16'),
  ),
)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND')
const rawBody = fc.oneof(
  fc.constant(undefined),
  fc.uint8Array({ maxLength: 64 }),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .record({ email: fc.anything(), password: fc.anything() })
    .map((value) =>
      Buffer.from(JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? ''),
    ),
)

const expectDecent = ({ status, headers: answered, body, text }: DoorAnswer) => {
  expect(status).toBeLessThan(500)
  expect(answered['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  if (status < 400 || text === '') return
  expect(answered['content-type']).toBe('application/problem+json')
  expect(body).toMatchObject({
    type: expect.stringMatching(/^\/problems\/[a-z-]+$/),
    status,
    title: expect.any(String),
    detail: expect.any(String),
  })
}

describe.each(doors)('random requests through %s', (_name, openDoor) => {
  it.each(['nobody', 'admin'] as const)('as %s get an answer of the contract and never a 500', async (as) => {
    const { request } = await openDoor({
      as,
      configs: {
        server: {
          http: {
            rateLimits: {
              requestsPerMinutePerToken: 1_000_000,
              signInPerMinutePerAddress: 1_000_000,
              requestsPerMinutePerAddress: 1_000_000,
            },
          },
        },
      },
    })
    await fc.assert(
      fc.asyncProperty(method, path, query, headers, rawBody, async (verb, where, search, sent, bytes) => {
        expectDecent(await request(verb, where + search, { headers: sent, ...(bytes === undefined ? {} : { rawBody: bytes }) }))
      }),
      seeded,
    )
  })

  it('with a random body never get a 500', async () => {
    const { request } = await openDoor({ routes: createConventionRoutes().routes })
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.json(), fc.boolean(), async (bytes, text, isJson) => {
        const answer = await request('POST', '/echo', {
          rawBody: isJson ? text : bytes,
          headers: { 'content-type': 'application/json' },
        })
        expectDecent(answer)
        expect([200, 400]).toContain(answer.status)
      }),
      seeded,
    )
  })
})

describe('a raw socket', () => {
  const exchange = async (text: string): Promise<string> => {
    const fixture = await createHttpFixture()
    const server = createServer(createApp(createConventionRoutes().routes, fixture.deps))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.end(text)
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
      })
      await once(socket, 'close')
      return received
    } finally {
      server.closeAllConnections()
      server.close()
      await fixture.close()
    }
  }
  const head = 'Host: x\r\nConnection: close\r\n'

  it.each([
    ['an absolute address', 'GET http://x/open HTTP/1.1', 200],
    ['an invalid absolute address', 'GET http://[ HTTP/1.1', 404],
    ['an absolute address with a bad port', 'GET http://x:99999/open HTTP/1.1', 404],
    ['an asterisk', 'OPTIONS * HTTP/1.1', 404],
    ['two slashes', 'GET // HTTP/1.1', 404],
    ['a fragment', 'GET /open#a HTTP/1.1', 200],
    ['a lone question mark', 'GET ? HTTP/1.1', 400],
    ['control characters', 'GET /a\u0001b HTTP/1.1', 400],
  ])('with %s gets one of our answers and never a 500', async (_what, line, status) => {
    const answer = await exchange(`${line}\r\n${head}\r\n`)
    expect([400, status]).toContain(Number(answer.slice(9, 12)))
    if (answer.slice(9, 12) === '404') expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/)
    expect(answer).not.toMatch(/<html|<!DOCTYPE|at .*\.[jt]s/i)
  })

  it('with a chunked body is read to its end', async () => {
    const body = '7\r\n{"name"\r\na\r\n:"a","size\r\n4\r\n":1}\r\n0\r\n\r\n'
    const answer = await exchange(
      `POST /echo HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('with an empty chunked body answers 400', async () => {
    const answer = await exchange(
      `POST /echo HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('/problems/bad-request')
  })

  it('with more than 64 KiB of chunks answers 413', async () => {
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n1\r\n \r\n0\r\n\r\n`
    const answer = await exchange(
      `POST /echo HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${piece}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })
})
