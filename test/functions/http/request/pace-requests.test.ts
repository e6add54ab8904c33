import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { paceRequests } from '../../../../functions/http/request/pace-requests.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

const createSend =
  (app: RequestListener) =>
  (url: string, headers = {}): void => {
    const req = Object.assign(new IncomingMessage(new Socket()), { url, headers })
    app(req, new ServerResponse(req))
  }

describe('paceRequests', () => {
  it('begins at most 16 requests per turn of the event loop, in order, each once', async () => {
    const begun: string[] = []
    const app = paceRequests((req) => begun.push(req.url ?? ''))
    const send = createSend(app)
    const urls = Array.from({ length: 40 }, (_, index) => `/${index}`)
    for (const url of urls) send(url)
    const counts = [begun.length]
    send('/healthz?from=probe')
    expect(begun.pop()).toBe('/healthz?from=probe')
    for (let turn = 0; turn < 4; turn += 1) {
      await nextTurn()
      counts.push(begun.length)
    }
    expect(counts).toEqual([0, 16, 32, 40, 40])
    expect(begun).toEqual(urls)
    send('/late')
    await nextTurn()
    expect(begun.at(-1)).toBe('/late')
  })

  it('begins requests of one turn together, before the promises of the first continue', async () => {
    const events: string[] = []
    const send = createSend(
      paceRequests((req) => {
        events.push(`${req.url} begins`)
        queueMicrotask(() => events.push(`${req.url} continues`))
      }),
    )
    send('/a')
    await Promise.resolve()
    send('/b')
    await nextTurn()
    expect(events).toEqual(['/a begins', '/b begins', '/a continues', '/b continues'])
  })

  it('begins requests with a body at once, within the limit of the turn', async () => {
    const begun: string[] = []
    const send = createSend(paceRequests((req) => begun.push(req.url ?? '')))
    send('/read')
    send('/text', { 'content-length': '2' })
    send('/pieces', { 'transfer-encoding': 'chunked' })
    send('/empty', { 'content-length': '0' })
    expect(begun).toEqual(['/text', '/pieces'])
    for (let index = 0; index < 40; index += 1) send('/more', { 'content-length': '2' })
    const counts = [begun.length]
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn()
      counts.push(begun.length)
    }
    expect(counts).toEqual([14, 16, 32, 44])
    expect(begun.filter((url) => url !== '/more')).toEqual(['/text', '/pieces', '/read', '/empty'])
  })

  it('begins requests with a credential first, at most 16 of them per turn', async () => {
    const begun: string[] = []
    const send = createSend(paceRequests((req) => begun.push(req.url ?? '')))
    for (let index = 0; index < 600; index += 1) send('/api/docs')
    send('/auth/me', { authorization: 'Bearer mine' })
    await nextTurn()
    expect([begun.length, begun.at(-1)]).toEqual([17, '/auth/me'])
    for (let index = 0; index < 40; index += 1) send('/mine', { authorization: 'Bearer mine' })
    const count = () => begun.filter((url) => url === '/mine').length
    const counts = [count()]
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn()
      counts.push(count())
    }
    expect(counts).toEqual([0, 16, 32, 40])
  })
})
