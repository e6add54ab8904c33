import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../../functions/app.ts'
import { route } from '../../../../functions/http/route.ts'
import { createHttpFixture } from '../../../support/http/http-fixture.ts'

const atOnce = 8

/** Delays the answers to many requests until all have arrived. */
const createGate = () => {
  let [arrived, open] = [0, (): void => undefined]
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return async () => {
    arrived += 1
    if (arrived === atOnce) open()
    await all
  }
}

const createTextRoute = (path: `/${string}`, bytes: number, wait: () => Promise<void>) =>
  route({
    method: 'get',
    path,
    permission: 'none',
    operationId: 'getText',
    summary: 'A text.',
    responses: { 200: 'The text.' },
    handle: async () => {
      await wait()
      return { status: 200, body: 'x'.repeat(bytes), contentType: 'text/plain' }
    },
  })

describe('answers that are ready at the same moment', () => {
  let server: Server
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  afterEach(async () => {
    server.close()
    await fixture.close()
  })

  /** The turns of the event loop in which the answers were sent, by path and in order. The last request has a credential. */
  const findTurns = async (bytes: number, last = '/text') => {
    const sent: { readonly path: string; readonly turn: number }[] = []
    let [turn, isOver] = [0, false]
    const count = (): void => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    const metrics = { observe: ({ path }: { path: string }) => void sent.push({ path, turn }), countProblem: () => undefined }
    fixture = await createHttpFixture({}, { metrics })
    const wait = createGate()
    const routes = [createTextRoute('/text', bytes, wait), createTextRoute('/mine', bytes, wait)]
    server = createServer(createApp(routes, fixture.deps)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    count()
    const { port } = server.address() as AddressInfo
    const read = async (path: string, headers = {}): Promise<number> =>
      (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text()).length
    const requests = Array.from({ length: atOnce - 1 }, () => read('/text'))
    requests.push(read(last, last === '/mine' ? { authorization: 'Bearer mine' } : {}))
    expect(await Promise.all(requests)).toEqual(requests.map(() => bytes))
    isOver = true
    return sent
  }

  const turnsOf = (sent: Awaited<ReturnType<typeof findTurns>>) => new Set(sent.map(({ turn }) => turn))

  it('are sent one per turn of the event loop above 64 KiB', async () => {
    expect(turnsOf(await findTurns(64 * 1024 + 1)).size).toBe(atOnce)
  })

  it('are sent together up to 64 KiB', async () => {
    expect(turnsOf(await findTurns(64 * 1024)).size).toBe(1)
  })

  it('to requests with a credential do not wait for those to requests without one', async () => {
    const sent = await findTurns(64 * 1024 + 1, '/mine')
    expect(sent.findIndex(({ path }) => path === '/mine')).toBeLessThan(2)
  })
})
