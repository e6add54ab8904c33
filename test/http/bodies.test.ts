import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { createApp } from '../../functions/app.ts'
import { createConventionRoutes } from '../support/http/convention-routes.ts'
import { createHttpFixture } from '../support/http/http-fixture.ts'
import { bothDoors } from './doors.ts'

const json = { 'content-type': 'application/json' }
const thing = { name: 'a', size: 1 }

it('a body above the limit is refused by its Content-Length before it is sent', async () => {
  const fixture = await createHttpFixture()
  const server = createServer(createApp(createConventionRoutes().routes, fixture.deps))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const headers = { ...json, 'content-length': '100000000' }
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/echo', headers, agent: false })
  sent.on('error', () => undefined)
  sent.flushHeaders()
  const [answer] = await once(sent, 'response')
  expect(answer.statusCode).toBe(413)
  sent.destroy()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await fixture.close()
})

it.each([
  ['a body of a few hundred bytes is parsed when it arrives', 300, 0],
  ['a long body waits for a turn of the event loop of its own', 4_000, 1],
])('%s', async (_what, characters, turns) => {
  let turnsTaken = 0
  const next = async (): Promise<void> => {
    turnsTaken += 1
  }
  const fixture = await createHttpFixture({}, { turns: { next } })
  const { routes } = createConventionRoutes()
  const server = createServer(createApp(routes, fixture.deps))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const body = JSON.stringify({ ...thing, name: 'a'.repeat(characters) })
  await (await fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', headers: json, body })).text()
  expect(turnsTaken).toBe(turns)
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await fixture.close()
})

describe.each(bothDoors)('a body through %s', (_name, openDoor) => {
  const open = async () => {
    const { routes, calls } = createConventionRoutes()
    return { ...(await openDoor({ routes })), calls }
  }

  it('is handed over unchanged', async () => {
    const { post } = await open()
    expect(await post('/echo', { name: 'ünï😀', size: 10 })).toMatchObject({ status: 200, body: { name: 'ünï😀', size: 10 } })
  })

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; version=1',
  ])('is accepted as %s', async (contentType) => {
    const { request } = await open()
    const answer = await request('POST', '/echo', { rawBody: JSON.stringify(thing), headers: { 'content-type': contentType } })
    expect(answer.status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/jsonp',
    ';',
    '',
  ])('of the media type %j answers 415', async (contentType) => {
    const { request, calls } = await open()
    const answer = await request('POST', '/echo', { rawBody: JSON.stringify(thing), headers: { 'content-type': contentType } })
    expect(answer).toMatchObject({ status: 415, body: { type: '/problems/unsupported-media-type' } })
    expect(calls()).toBe(0)
  })

  it('that is compressed answers 415', async () => {
    const { request } = await open()
    const answer = await request('POST', '/echo', {
      rawBody: gzipSync(JSON.stringify(thing)),
      headers: { ...json, 'content-encoding': 'gzip' },
    })
    expect(answer).toMatchObject({ status: 415, body: { type: '/problems/unsupported-media-type' } })
  })

  it.each([
    ['malformed', '{"name":'],
    ['cut', '{"name":"a","size":1'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['two values', '{} {}'],
    ['half a character', '{"name":"\\ud800","size":1}'],
    ['nothing but space', '   '],
    ['empty', ''],
  ])('that is %s answers 400', async (_what, rawBody) => {
    const { request, calls } = await open()
    const answer = await request('POST', '/echo', { rawBody, headers: json })
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    expect(calls()).toBe(0)
  })

  it('that is missing answers 400 with any media type', async () => {
    const { request } = await open()
    expect((await request('POST', '/echo')).status).toBe(400)
    expect((await request('POST', '/echo', { headers: json })).status).toBe(400)
  })

  it.each([
    [{ size: 1 }, '/name'],
    [{ ...thing, more: 1 }, '/more'],
    [{ ...thing, size: '1' }, '/size'],
    [{ ...thing, size: 1.5 }, '/size'],
    [{ ...thing, size: 11 }, '/size'],
    [{ ...thing, size: null }, '/size'],
    [{ ...thing, name: '' }, '/name'],
    [{ ...thing, name: 'too long a name' }, '/name'],
    [{ ...thing, name: ['a'] }, '/name'],
    [[], ''],
    ['text', ''],
    [null, ''],
    [1, ''],
  ])('%j answers 400 and points at the fault', async (body, pointer) => {
    const { post, calls } = await open()
    const answer = await post('/echo', body)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request', errors: [{ pointer }] } })
    expect(calls()).toBe(0)
  })

  it('gets all of its faults at once', async () => {
    const { post } = await open()
    const answer = await post('/echo', { size: 'x', more: 1 })
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(['/more', '/name', '/size'])
  })

  it('with a key __proto__ is refused and changes no prototype', async () => {
    const { request } = await open()
    const answer = await request('POST', '/echo', { rawBody: '{"name":"a","size":1,"__proto__":{"polluted":1}}', headers: json })
    expect(answer.status).toBe(400)
    expect('polluted' in {}).toBe(false)
  })

  it('of exactly 64 KiB is parsed, and one byte more answers 413 with the limit', async () => {
    const { request, calls } = await open()
    const padded = (bytes: number) => JSON.stringify(thing).padEnd(bytes)
    expect((await request('POST', '/echo', { rawBody: padded(65_536), headers: json })).status).toBe(200)
    const answer = await request('POST', '/echo', { rawBody: padded(65_537), headers: json })
    expect(answer).toMatchObject({ status: 413, body: { type: '/problems/body-too-large' } })
    expect(answer.body.detail).toContain('64 KiB')
    expect(calls()).toBe(1)
  })

  it('gets at most twenty faults and a note that there are more', async () => {
    const { post } = await open()
    const body = { ...thing, ...Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 0])) }
    const answer = await post('/echo', body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(21)
  })

  it.each(['', '"\\ud83d\\ude00"'])('nested thirty thousand deep around %j answers 400', async (core) => {
    const { request } = await open()
    const rawBody = `{"name":${'['.repeat(30_000)}${core}${']'.repeat(30_000)},"size":1}`
    expect((await request('POST', '/echo', { rawBody, headers: json })).status).toBe(400)
  })

  it('is ignored by a route without a body', async () => {
    const { request } = await open()
    expect((await request('DELETE', '/things/1', { rawBody: '{', headers: json })).status).toBe(204)
  })
})
