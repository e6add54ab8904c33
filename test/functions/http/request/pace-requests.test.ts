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
    expect(counts).toEqual([16, 32, 40, 40, 40])
    expect(begun).toEqual(urls)
    send('/late')
    expect(begun.at(-1)).toBe('/late')
  })

  it('begins requests with a credential first, at most 16 of them per turn', async () => {
    const begun: string[] = []
    const send = createSend(paceRequests((req) => begun.push(req.url ?? '')))
    for (let index = 0; index < 600; index += 1) send('/api/docs')
    send('/auth/me', { authorization: 'Bearer mine' })
    expect([begun.length, begun.at(-1)]).toEqual([17, '/auth/me'])
    for (let index = 0; index < 40; index += 1) send('/mine', { authorization: 'Bearer mine' })
    const count = () => begun.filter((url) => url === '/mine').length
    const counts = [count()]
    for (let turn = 0; turn < 2; turn += 1) {
      await nextTurn()
      counts.push(count())
    }
    expect(counts).toEqual([15, 31, 40])
  })
})
