import { describe, expect, it, jest } from '@jest/globals'
import { createCall } from '../../../sdk/admin/call.ts'
import { readZoneBlocks } from '../../../sdk/admin/read-lines.ts'
import { NotGatehouseError, ProblemError } from '../../../sdk/errors.ts'

type Asked = { readonly url: string; readonly init: RequestInit }

/** A server with one answer for every request, and the requests that it received. */
const answering = (answer: () => Response) => {
  const asked: Asked[] = []
  const caller = {
    url: 'https://game.example.org',
    token: () => 'the-token',
    fetch: async (url: string, init: RequestInit = {}) => {
      asked.push({ url, init })
      return answer()
    },
  }
  return { caller, asked, call: createCall(caller) }
}
const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(body, init)

describe('a call of the API', () => {
  it('puts parameters, query, body, token and version in their places', async () => {
    const { call, asked } = answering(json({ email: 'a/b@example.com' }, { headers: { ETag: '"7"' } }))
    const params = { email: 'a/b@example.com' }
    const answer = await call('PUT /api/admin/users/{email}', { params, body: { displayName: 'Ann' }, ifMatch: '6' })
    expect(answer).toEqual({ status: 200, body: { email: 'a/b@example.com' }, etag: '7' })
    expect(asked[0]?.url).toBe('https://game.example.org/api/admin/users/a%2Fb%40example.com')
    expect(asked[0]?.init).toMatchObject({ method: 'PUT', body: '{"displayName":"Ann"}' })
    expect(asked[0]?.init.headers).toEqual({
      Authorization: 'Bearer the-token',
      'Content-Type': 'application/json',
      'If-Match': '"6"',
    })
  })

  it('leaves missing values out of the query', async () => {
    const { call, asked } = answering(json({ users: [] }))
    await call('GET /api/admin/users', { query: { q: 'a&b', limit: 2 } })
    await call('GET /api/admin/users')
    expect(asked.map(({ url }) => url.slice(24))).toEqual(['/api/admin/users?q=a%26b&limit=2', '/api/admin/users'])
  })

  it('keeps the slashes of a config, and sends and reads YAML as text', async () => {
    const { call, asked } = answering(() => new Response('a: 1\n', { headers: { 'Content-Type': 'application/yaml' } }))
    const { body } = await call('GET /api/admin/configs/{name}', { params: { name: 'skills/spells' } })
    expect(body).toBe('a: 1\n')
    await call('PUT /api/admin/configs/{name}', { params: { name: 'skills/spells' }, body: 'a: 2\n' })
    expect(asked[0]?.url).toMatch(/\/api\/admin\/configs\/skills\/spells$/)
    expect(asked[1]?.init).toMatchObject({ body: 'a: 2\n', headers: { 'Content-Type': 'application/yaml' } })
  })

  it('gives up on an endless answer', async () => {
    jest.useFakeTimers()
    try {
      let isEnded = false
      const fetch = async (_url: string, init: RequestInit = {}) => {
        const body = new ReadableStream({
          start: (stream) => {
            stream.enqueue(new TextEncoder().encode('{"a":'))
            init.signal?.addEventListener('abort', () => {
              isEnded = true
              stream.error(init.signal?.reason)
            })
          },
        })
        return new Response(body, { headers: { 'Content-Type': 'application/json' } })
      }
      const asked = createCall({ url: 'https://game.example.org', token: () => 'x', fetch })('GET /api/admin/users')
      const told = expect(asked).rejects.toMatchObject({ name: 'UnreachableError', failure: 'timeout' })
      await jest.advanceTimersByTimeAsync(119_000)
      expect(isEnded).toBe(false)
      await jest.advanceTimersByTimeAsync(1_000)
      await told
      expect(isEnded).toBe(true)
    } finally {
      jest.useRealTimers()
    }
  })

  it('returns no body for a 204', async () => {
    const { call } = answering(() => new Response(null, { status: 204 }))
    expect(await call('DELETE /api/admin/users/{email}', { params: { email: 'a@b' } })).toEqual({ status: 204, body: undefined })
  })

  it('throws the problem of the server, with every fault and the delay', async () => {
    const errors = [{ pointer: '/limit', message: 'must be <= 200' }]
    const problem = { type: '/problems/bad-request', title: 'Bad request', status: 400, errors }
    const { call } = answering(json(problem, { status: 400, headers: { 'X-Request-Id': 'r-1', 'Retry-After': '3' } }))
    const failure = await call('GET /api/admin/users').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProblemError)
    expect(failure).toMatchObject({
      type: '/problems/bad-request',
      message: 'Bad request. Try again in 3 s.',
      problem: { status: 400, errors, requestId: 'r-1', retryAfterSeconds: 3 },
    })
  })

  it('keeps the fields that a problem adds', async () => {
    const problem = { type: '/problems/conflict', title: 'Conflict', status: 409, zones: [{ id: 'z1' }], instance: '/x' }
    const { call } = answering(json(problem, { status: 409 }))
    const failure = await call('GET /api/admin/users').catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'conflict', problem: { zones: [{ id: 'z1' }], instance: '/x' } })
  })

  it('throws for an invalid answer of type JSON', async () => {
    const { call } = answering(() => new Response('{', { headers: { 'Content-Type': 'application/json' } }))
    await expect(call('GET /api/admin/users')).rejects.toBeInstanceOf(NotGatehouseError)
  })
})

describe('the blocks of a zone', () => {
  const pieces =
    (...texts: string[]) =>
    () => {
      const body = new ReadableStream({
        start: (controller) => {
          for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      })
      return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } })
    }
  const block = (x: number) => ({ x, y: 64, z: 0, type: 'stone' })

  it('throws UnreachableError when the connection breaks while they are read', async () => {
    const cutOff = () => {
      const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })
      return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } })
    }
    const { caller } = answering(cutOff)
    await expect(readZoneBlocks(caller, 'z1').next()).rejects.toMatchObject({ name: 'UnreachableError' })
  })

  it('are read line by line, however the chunks are split', async () => {
    const text = [1, 2, 3].map((x) => `${JSON.stringify(block(x))}\n`).join('')
    const { caller, asked } = answering(pieces(text.slice(0, 5), text.slice(5, 60), text.slice(60)))
    const read: unknown[] = []
    for await (const one of readZoneBlocks(caller, 'z-1', { cx: 0, cz: -1 })) read.push(one)
    expect(read).toEqual([block(1), block(2), block(3)])
    expect(asked[0]?.url).toBe('https://game.example.org/api/admin/instances/z-1/blocks?cx=0&cz=-1')
  })

  it('are not complete when the answer was cut off', async () => {
    const { caller } = answering(pieces(`${JSON.stringify(block(1))}\n{"x":2,`))
    const reading = readZoneBlocks(caller, 'z-1')
    expect(await reading.next()).toEqual({ done: false, value: block(1) })
    await expect(reading.next()).rejects.toThrow(/cut off/)
  })

  it('end the request when the reader stops', async () => {
    let isCancelled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(block(1))}\n`)),
      cancel: () => {
        isCancelled = true
      },
    })
    const { caller } = answering(() => new Response(body))
    for await (const _ of readZoneBlocks(caller, 'z-1')) break
    expect(isCancelled).toBe(true)
  })
})
