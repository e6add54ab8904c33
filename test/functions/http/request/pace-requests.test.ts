import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { paceRequests } from '../../../../functions/http/request/pace-requests.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('paceRequests', () => {
  it('begins at most 16 requests in a turn of the event loop, in their order, and none twice', async () => {
    const begun: string[] = []
    const app = paceRequests((req) => begun.push(req.url ?? ''))
    const send = (url: string): void => {
      const req = Object.assign(new IncomingMessage(new Socket()), { url })
      app(req, new ServerResponse(req))
    }
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
})
