import { describe, expect, it } from '@jest/globals'
import { createOpenapi } from '../../functions/http/openapi/openapi.ts'
import { createConventionRoutes } from '../support/http/convention-routes.ts'
import { bothDoors } from './doors.ts'

const text = { 'content-type': 'text/plain' }

describe.each(bothDoors)('a text body through %s', (_name, openDoor) => {
  const open = async () => {
    const { routes, calls } = createConventionRoutes()
    return { ...(await openDoor({ routes })), calls }
  }

  it.each(['text/plain', 'text/markdown', 'TEXT/PLAIN; charset=utf-8', 'text/plain;charset="UTF-8"'])(
    'is handed over unchanged, as %s',
    async (contentType) => {
      const { request } = await open()
      const sent = { rawBody: '# ünï😀\r\n\t{"a": 1', headers: { 'content-type': contentType } }
      expect(await request('PUT', '/notes/a', sent)).toMatchObject({ status: 200, body: { text: sent.rawBody } })
    },
  )

  it.each(['application/json', 'text/html', 'text/plain; charset=latin1', 'text', ''])(
    'of the media type %j answers 415 with the accepted ones',
    async (contentType) => {
      const { request, calls } = await open()
      const answer = await request('PUT', '/notes/a', { rawBody: 'x', headers: { 'content-type': contentType } })
      expect(answer).toMatchObject({ status: 415, body: { type: '/problems/unsupported-media-type' } })
      expect(calls()).toBe(0)
    },
  )

  it.each([
    ['empty', ''],
    ['not UTF-8', Buffer.from([0x61, 0xff])],
    ['half a character', Buffer.from([0xed, 0xa0, 0x80])],
  ])('that is %s answers 400', async (_what, rawBody) => {
    const { request, calls } = await open()
    expect(await request('PUT', '/notes/a', { rawBody, headers: text })).toMatchObject({ status: 400 })
    expect(calls()).toBe(0)
  })

  it('of 64 KiB is accepted, and one byte more answers 413', async () => {
    const { request } = await open()
    const answers = [65_536, 65_537].map((length) =>
      request('PUT', '/notes/a', { rawBody: Buffer.alloc(length, 'x'), headers: text }),
    )
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 413])
  })
})

describe.each(bothDoors)('a parameter with slashes through %s', (_name, openDoor) => {
  it.each([
    ['a', 'a'],
    ['a/b.txt', 'a/b.txt'],
    ['a%2Fb.txt', 'a/b.txt'],
    ['a//b/', 'a//b/'],
    ['..%5Ca', '..\\a'],
    ['%252e', '%2e'],
    ['a%00', 'a\0'],
  ])('reads %s as %j, decoded once', async (path, name) => {
    const { request } = await openDoor({ routes: createConventionRoutes().routes })
    expect((await request('PUT', `/notes/${path}`, { rawBody: 'x', headers: text })).body.name).toBe(name)
  })

  it.each(['%zz', 'a/%', '%c0%ae'])('answers 404 at %s, which does not decode', async (path) => {
    const { request } = await openDoor({ routes: createConventionRoutes().routes })
    expect((await request('PUT', `/notes/${path}`, { rawBody: 'x', headers: text })).status).toBe(404)
  })
})

describe('the description of a route with a text body', () => {
  it('names each media type, and the parameter without its star', () => {
    const { paths } = createOpenapi(createConventionRoutes().routes, { version: '0', baseUrl: 'http://x' })
    const operation = paths['/notes/{name}']?.put
    expect(operation?.requestBody?.content).toEqual({
      'text/plain': { schema: expect.objectContaining({ type: 'string' }), example: expect.any(String) },
      'text/markdown': { schema: expect.objectContaining({ type: 'string' }), example: expect.any(String) },
    })
    expect(operation?.parameters).toMatchObject([{ name: 'name', in: 'path', required: true }])
  })
})
