import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type LoopbackReturn, openLoopbackReturn } from '../../../sdk/sign-in/loopback-return.ts'

const token = '5b0b3c1e-8f4e-4c5d-9a55-0d7f5b1c2a3d'
const other = 'c0a8012e-2f4d-4f0b-8f3c-1a2b3c4d5e6f'
let back: LoopbackReturn
let taken: string[]
beforeEach(async () => {
  taken = []
  back = await openLoopbackReturn()
  void back.token.then((one) => taken.push(one))
})
afterEach(() => back.close())

type Asked = {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

/** A request with arbitrary headers, which a browser does not allow for a page. */
const ask = async ({ method = 'POST', path, query = '', headers = {}, body = '' }: Asked) => {
  const { port, pathname, origin } = new URL(back.returnUrl)
  const sent = { origin, 'content-type': 'application/json', ...headers }
  const asked = request({ host: '127.0.0.1', port, method, path: path ?? pathname + query, headers: sent })
  asked.on('error', () => undefined)
  asked.end(body)
  const [response]: [IncomingMessage] = await once(asked, 'response').then(([one]) => [one])
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

const bring = (value: unknown, headers: OutgoingHttpHeaders = {}) => ask({ headers, body: JSON.stringify(value) })

describe('the return address of a loopback sign-in', () => {
  it('is on loopback, below a random path, and without a query', () => {
    expect(back.returnUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/gatehouse\/[\da-f-]{36}$/)
  })

  it('shows a page that may only run its own script and call its own address', async () => {
    const page = await ask({ method: 'GET' })
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })
    const policy = String(page.headers['content-security-policy'])
    const script = /<script>([\s\S]*)<\/script>/.exec(page.text)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  it('accepts the first token of the page, and no second one', async () => {
    expect((await bring({ token, displayName: 'Ann', playerId: 'id' })).status).toBe(204)
    expect(await back.token).toBe(token)
    expect((await bring({ token: other })).status).toBe(409)
    expect(taken).toEqual([token])
  })

  it.each([
    ['from a page of another origin', { headers: { origin: 'https://evil.example' } }, 403],
    ['from a page without an origin', { headers: { origin: 'null' } }, 403],
    ['in a form, which needs no preflight', { headers: { 'content-type': 'text/plain' } }, 403],
    ['by another name of this machine', { headers: { host: 'evil.example' } }, 421],
    ['at another path', { path: '/gatehouse/' }, 404],
    ['in the query', { query: `?token=${token}` }, 404],
    ['by another method', { method: 'PUT' }, 405],
  ])('refuses a token %s, and keeps waiting', async (_how, asked, status) => {
    expect((await ask({ body: JSON.stringify({ token }), ...asked })).status).toBe(status)
    expect((await bring({ token: other })).status).toBe(204)
    expect(await back.token).toBe(other)
  })

  it.each([
    ['not JSON', '{'],
    ['not an object', '[]'],
    ['without a token', '{"error":"access_denied"}'],
    ['a malformed token', '{"token":"abc"}'],
    ['larger than four kilobytes', JSON.stringify({ token, displayName: 'x'.repeat(5000) })],
  ])('refuses a body that is %s, and keeps waiting', async (_what, body) => {
    expect((await ask({ body })).status).toBe(400)
    expect((await bring({ token })).status).toBe(204)
  })

  it('serves no page under another host name, which a foreign page needs', async () => {
    expect(await ask({ method: 'GET', headers: { host: 'evil.example' } })).toMatchObject({ status: 421, text: '' })
    expect(await ask({ method: 'GET', path: '/favicon.ico' })).toMatchObject({ status: 404, text: '' })
  })

  it('closes despite an open idle connection, and can be closed twice', async () => {
    const socket = connect(Number(new URL(back.returnUrl).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    const closed = once(socket, 'close')
    await back.close()
    await back.close()
    await closed
  })
})
