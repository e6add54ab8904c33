import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../../functions/app.ts'
import { route } from '../../../../functions/http/route.ts'
import { createHttpFixture } from '../../../support/http/http-fixture.ts'

const atOnce = 8

/** Answers that many requests at the same moment, once all have arrived. */
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

const createTextRoute = (bytes: number) => {
  const wait = createGate()
  return route({
    method: 'get',
    path: '/text',
    permission: 'none',
    summary: 'A text.',
    responses: { 200: 'The text.' },
    handle: async () => {
      await wait()
      return { status: 200, body: 'x'.repeat(bytes), contentType: 'text/plain' }
    },
  })
}

describe('answers that are ready at the same moment', () => {
  let server: Server
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  afterEach(async () => {
    server.close()
    await fixture.close()
  })

  /** In which turns of the event loop they went out. */
  const findTurns = async (bytes: number): Promise<readonly number[]> => {
    const turns: number[] = []
    let [turn, isOver] = [0, false]
    const count = (): void => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    fixture = await createHttpFixture({}, { metrics: { observe: () => turns.push(turn), countProblem: () => undefined } })
    server = createServer(createApp([createTextRoute(bytes)], fixture.deps)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    count()
    const { port } = server.address() as AddressInfo
    const read = async (): Promise<number> => (await (await fetch(`http://127.0.0.1:${port}/text`)).text()).length
    expect(await Promise.all(Array.from({ length: atOnce }, read))).toEqual(Array.from({ length: atOnce }, () => bytes))
    isOver = true
    return turns
  }

  it('go out one in each turn of the event loop above 64 KiB', async () => {
    expect(new Set(await findTurns(64 * 1024 + 1)).size).toBe(atOnce)
  })

  it('go out together up to 64 KiB', async () => {
    expect(new Set(await findTurns(64 * 1024)).size).toBe(1)
  })
})
