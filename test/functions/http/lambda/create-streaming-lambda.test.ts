import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createApp } from '../../../../functions/app.ts'
import { type Route, route, stream } from '../../../../functions/http/route.ts'
import { createLambdaEvent } from '../../../../infra/lambda-offline/lambda-offline-event.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import type { Door } from '../../../support/http/door.ts'
import { createHttpFixture } from '../../../support/http/http-fixture.ts'
import { openSocketDoor } from '../../../support/http/socket-door.ts'
import { callStreaming, openStreamingDoor } from '../../../support/http/streaming-lambda.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const lines = async function* () {
  for (let line = 0; line < 5000; line += 1) yield `line ${line}\n`
}
const streamed = {
  method: 'get',
  permission: 'none',
  operationId: 'getStream',
  summary: 'For this test.',
  responses: { 200: 'x' },
} as const

const routes: readonly Route[] = [
  route({ ...streamed, path: '/lines', handle: () => stream('text/plain', lines(), { 'X-Total-Blocks': '5000' }) }),
  route({ ...streamed, path: '/packed', handle: () => ({ ...stream('text/plain', lines()), compress: true }) }),
  route({ ...streamed, path: '/nothing', handle: () => ({ status: 204 }) }),
  route({
    ...streamed,
    path: '/cookies',
    handle: () => ({ status: 200, body: {}, headers: { 'Set-Cookie': ['one=1; Path=/', 'two=2; Path=/'] } }),
  }),
  route({
    ...streamed,
    path: '/seen',
    handle: (_deps, { request }) => ({
      status: 200,
      body: { address: request.address, cookies: [...request.cookies()] },
    }),
  }),
  route({
    ...streamed,
    method: 'post',
    path: '/echo',
    body: Type.Object({ text: Type.String({ maxLength: 60_000 }) }),
    handle: (_deps, { body }) => ({ status: 200, body }),
  }),
  route({
    ...streamed,
    path: '/refused',
    handle: () =>
      stream(
        'text/plain',
        // biome-ignore lint/correctness/useYield: it fails before it has anything
        (async function* (): AsyncGenerator<string> {
          throw new AppError('unavailable', 'world-unusable', 'Not now.')
        })(),
      ),
  }),
]

/** Removes the headers that differ between any two connections. */
const lasting = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
  const { date, connection, 'keep-alive': keepAlive, 'transfer-encoding': encoding, 'x-request-id': id, ...rest } = headers
  return rest
}

describe('a streaming Lambda', () => {
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  let app: RequestListener
  let socket: Door
  let lambda: Door
  beforeEach(async () => {
    fixture = await createHttpFixture()
    app = createApp(routes, fixture.deps)
    socket = await openSocketDoor(app)
    lambda = await openStreamingDoor(app)
  })
  afterEach(async () => {
    await socket.close()
    await fixture.close()
  })

  it.each([
    ['GET', '/lines', {}, ''],
    ['GET', '/packed', { 'accept-encoding': 'gzip' }, ''],
    ['HEAD', '/lines', {}, ''],
    ['GET', '/nothing', {}, ''],
    ['GET', '/cookies', {}, ''],
    ['GET', '/seen', { cookie: 'a=1; b=2', 'x-forwarded-for': '192.0.2.1' }, ''],
    ['GET', '/refused', {}, ''],
    ['GET', '/absent?with=query', {}, ''],
    ['POST', '/lines', { 'content-type': 'application/json' }, '{}'],
    ['POST', '/echo', { 'content-type': 'application/json' }, JSON.stringify({ text: 'é'.repeat(30_000) })],
    ['POST', '/echo', { 'content-type': 'application/json' }, '{"text":'],
    ['POST', '/echo', { 'content-type': 'application/json' }, JSON.stringify({ text: 'x'.repeat(70_000) })],
    ['POST', '/echo', { 'content-type': 'application/json' }, ''],
    ['OPTIONS', '/lines', {}, ''],
  ])('answers %s %s %j byte for byte as a socket does', async (method, path, headers, text) => {
    const body = text === '' ? undefined : Buffer.from(text)
    const ours = await lambda.send(method, path, headers, body)
    const theirs = await socket.send(method, path, headers, body)
    expect(ours.status).toBe(theirs.status)
    expect(lasting(ours)).toEqual(lasting(theirs))
    expect(Buffer.compare(ours.bytes, theirs.bytes)).toBe(0)
    expect(ours.headers['x-request-id']).toBeDefined()
    expect(Object.keys(ours.headers)).not.toEqual(expect.arrayContaining(['transfer-encoding']))
  })

  it('takes the client address from the event, and joins its cookies', async () => {
    const headers = { cookie: 'a=1; b=2' }
    const event = createLambdaEvent({ method: 'GET', target: '/seen', headers, sourceIp: '198.51.100.7' })
    expect(event.cookies).toEqual(['a=1', 'b=2'])
    const { streamed, ended } = callStreaming(app, event)
    const { body } = await streamed
    expect(JSON.parse(String((await body.toArray()).join('')))).toEqual({
      address: '198.51.100.7',
      cookies: [
        ['a', '1'],
        ['b', '2'],
      ],
    })
    await ended
  })

  const endless = (seen: { made: number; released: boolean }) =>
    route({
      ...streamed,
      path: '/endless',
      handle: () =>
        stream(
          'text/plain',
          (async function* () {
            try {
              for (;;) {
                seen.made += 65_536
                yield 'x'.repeat(65_536)
              }
            } finally {
              seen.released = true
            }
          })(),
        ),
    })

  it('produces no more than the client reads, and stops when the client disconnects', async () => {
    const seen = { made: 0, released: false }
    const { streamed, ended, wire } = callStreaming(
      createApp([endless(seen)], fixture.deps),
      createLambdaEvent({ method: 'GET', target: '/endless' }),
    )
    await streamed
    let before = -1
    await waitFor(async () => {
      const still = seen.made === before
      before = seen.made
      await new Promise((resolve) => setTimeout(resolve, 20))
      return still && seen.made > 0
    })
    expect(seen.made).toBeLessThan(2 * 1024 * 1024)
    wire.destroy()
    await expect(ended).rejects.toThrow()
    await waitFor(() => seen.released)
    await waitFor(() => fixture.observed.length === 1)
    expect(fixture.lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('stops when the client disconnects before the answer begins', async () => {
    const seen = { begun: false, noticed: false }
    const waiting = route({
      ...streamed,
      path: '/waiting',
      handle: async (_deps, { request }) => {
        const gone = request.clientGone()
        seen.begun = true
        await once(gone, 'abort')
        seen.noticed = true
        return { status: 204 }
      },
    })
    const { ended, wire } = callStreaming(
      createApp([waiting], fixture.deps),
      createLambdaEvent({ method: 'GET', target: '/waiting' }),
    )
    await waitFor(() => seen.begun)
    wire.destroy()
    await expect(ended).rejects.toThrow()
    await waitFor(() => seen.noticed)
  })

  it('aborts an answer that fails midway, so that clients do not take it for complete', async () => {
    const failing = route({
      ...streamed,
      path: '/failing',
      handle: () =>
        stream(
          'text/plain',
          (async function* () {
            yield 'first'
            throw new Error('mine')
          })(),
        ),
    })
    const { streamed: answer, ended } = callStreaming(
      createApp([failing], fixture.deps),
      createLambdaEvent({ method: 'GET', target: '/failing' }),
    )
    const outcome = ended.then(
      () => 'whole',
      () => 'cut off',
    )
    await answer.then(({ body }) => body.toArray()).catch(() => undefined)
    expect(await outcome).toBe('cut off')
    expect(fixture.lines.some(({ level }) => level === 50)).toBe(true)
  })
})
