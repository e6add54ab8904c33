import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { stringify } from 'yaml'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { type ConfigApi, createConfigApi } from '../support/config-api.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let server: Server
let boss: string
let configs: ConfigApi
beforeAll(async () => {
  server = await stage.start({ DATA_DIR: await stage.createDataDir() })
  boss = await stage.claim(server)
  configs = createConfigApi(server.url, boss)
})
afterAll(() => stage.close())

type Limits = { readonly requestsPerMinutePerToken?: number; readonly realtime?: Readonly<Record<string, number>> }

/** Saves server.yaml with these limits and reloads it; resolves with the answer of the reload. */
const putInForce = async ({ requestsPerMinutePerToken = 10_000, realtime = {} }: Limits): Promise<Record<string, unknown>> => {
  const rateLimits = { signInPerMinutePerAccount: 1000, signInPerMinutePerAddress: 10_000, requestsPerMinutePerToken }
  const saved = await configs.save(
    'server.yaml',
    stringify({ auth: { local: { bcryptCost: 10 } }, http: { rateLimits }, realtime }),
  )
  expect(saved.status).toBe(200)
  return (await configs.reload()).body
}

const enter = async (name: string): Promise<PlayerLink> =>
  stage.join(server.url, await stage.signIn(server.url, `${name}@example.com`))

const sendPings = (client: PlayerLink, count: number): void => {
  for (let nonce = 0; nonce < count; nonce += 1) client.send({ $case: 'ping', value: { nonce } })
}

describe('new limits of server.yaml, for open connections and used tokens', () => {
  it('close a connection that sends too much since the reload, and no other', async () => {
    const [noisy, quiet] = [await enter('noisy'), await enter('quiet')]
    sendPings(noisy, 50)
    await waitFor(() => noisy.count('pong') === 50)

    expect(await putInForce({ realtime: { messagesPerSecond: 1, messageBurst: 10 } })).toMatchObject({
      reloaded: expect.arrayContaining(['server.yaml']),
      restartNeeded: [],
      failed: [],
    })
    sendPings(noisy, 50)
    expect(await noisy.closed()).toMatchObject({ code: 4029 })
    sendPings(quiet, 5)
    await waitFor(() => quiet.count('pong') === 5)

    await putInForce({ realtime: { messagesPerSecond: 10_000, messageBurst: 10_000 } })
    sendPings(quiet, 50)
    await waitFor(() => quiet.count('pong') === 55)
  })

  it('refuse a message that is now too large', async () => {
    const ann = await enter('ann')
    await putInForce({ realtime: { maxMessageBytes: 8192 } })
    ann.send({ $case: 'chat', value: { text: 'x'.repeat(20_000) } })
    expect(await ann.closed()).toMatchObject({ code: 1009 })
    await putInForce({})
  })

  it('count requests of a token against the current limit', async () => {
    const token = await stage.signIn(server.url, 'busy@example.com')
    const me = async () => ask(server.url, 'GET /auth/me', { token })
    for (let n = 0; n < 60; n += 1) expect((await me()).status).toBe(200)
    await putInForce({ requestsPerMinutePerToken: 50 })
    const refused = await me()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await putInForce({ requestsPerMinutePerToken: 10_000 })
    expect((await me()).status).toBe(200)
  })

  it('except the tick rate apply without a restart', async () => {
    const ann = await enter('patient')
    expect(await putInForce({ realtime: { tickRate: 30, messagesPerSecond: 1, messageBurst: 10 } })).toEqual({
      reloaded: expect.arrayContaining(['server.yaml']),
      changed: ['server.yaml'],
      restartNeeded: ['server.yaml'],
      failed: [],
    })
    sendPings(ann, 50)
    expect(await ann.closed()).toMatchObject({ code: 4029 })
    expect((await putInForce({})).restartNeeded).toEqual([])
  })
})
