import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { connect, type Session } from '../../../sdk/connection/connect.ts'
import { type SignIn, signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createHeldTimers, reach } from '../support/fake-session.ts'
import { startPlayServer } from '../support/play-server.ts'

type Refusal = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

const problem = (status: number, slug: string, headers: Record<string, string> = {}): Refusal => ({
  status,
  headers: { ...headers, 'Content-Type': 'application/problem+json' },
  body: JSON.stringify({ type: `/problems/${slug}`, title: slug, status }),
})

/** A server in front of a game that refuses upgrades on request. */
let front: Server
let game: Awaited<ReturnType<typeof startPlayServer>>
let refusal: Refusal | undefined
let knocks = 0
let me: SignIn
let held: ReturnType<typeof createHeldTimers>
let session: Session | undefined

beforeEach(async () => {
  game = await startPlayServer()
  await game.addAccount('ann')
  refusal = undefined
  knocks = 0
  held = createHeldTimers()
  front = createServer()
  front.on('upgrade', (_, socket) => {
    knocks += 1
    const { status, headers = {}, body = '' } = refusal ?? { status: 500 }
    const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' })
    socket.end(`HTTP/1.1 ${status} No\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  me = await signIn({ url: game.url, email: 'ann@example.com', timers: held.timers })
})
afterEach(async () => {
  await session?.close()
  session = undefined
  me.close()
  front.close()
  await game.close()
})

const frontUrl = () => `http://127.0.0.1:${(front.address() as AddressInfo).port}`

/** Connects to the front while there is a refusal. */
const openSocket = class extends WebSocket {
  constructor(address: string, ...rest: []) {
    super(refusal === undefined ? address : address.replace(/^ws:\/\/[^/]+/, frontUrl().replace('http', 'ws')), ...rest)
  }
}
const enter = async () => {
  session = await connect(me, { WebSocket: openSocket, timers: held.timers, random: () => 0.5 })
  return session
}

/** Loses the connection, and is refused when it reconnects after the wait. */
const loseAndBeRefused = async (how: Refusal): Promise<Session> => {
  const live = await enter()
  refusal = how
  live.drop()
  await reach(live, 'waiting')
  const again = reach(live, 'resuming')
  held.advance(250)
  await again
  await reach(live, 'waiting')
  return live
}

describe('a session whose upgrade is refused', () => {
  it.each([
    [problem(429, 'too-many-requests', { 'Retry-After': '9' }), 9_000],
    [problem(503, 'service-unavailable', { 'Retry-After': '4' }), 4_000],
    [{ status: 503, headers: { 'Retry-After': '5' } }, 5_000],
  ])('reconnects after the delay of the server, and not before: %j', async (how, waitMs) => {
    const live = await loseAndBeRefused(how)
    expect(live.state()).toMatchObject({ retryAt: held.timers.now() + waitMs })
    refusal = undefined
    held.advance(waitMs - 1)
    expect(live.state().name).toBe('waiting')
    const back = reach(live, 'live')
    held.advance(1)
    await back
    expect(knocks).toBe(1)
  })

  it.each([[{ status: 502, body: '<html>' }], [{ status: 404, body: '<html>' }], [problem(503, 'service-unavailable')]])(
    'uses its own growing delay if the server sends none: %j',
    async (how) => {
      const live = await loseAndBeRefused(how)
      const waits: number[] = []
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const state = live.state()
        const waitMs = state.name === 'waiting' ? state.retryAt - held.timers.now() : Number.NaN
        waits.push(waitMs)
        const again = reach(live, 'resuming')
        held.advance(waitMs)
        await again
        await reach(live, 'waiting')
      }
      expect(waits).toEqual([250, 500, 1_000])
      expect(knocks).toBe(4)
    },
  )

  it('ends when the server refuses all connections with a reason', async () => {
    const live = await enter()
    refusal = problem(403, 'origin-not-allowed')
    live.drop()
    await reach(live, 'waiting')
    held.advance(250)
    expect(await reach(live, 'ended')).toMatchObject({ reason: 'origin-not-allowed' })
  })

  it('rejects the first connection, with the delay', async () => {
    refusal = problem(503, 'service-unavailable', { 'Retry-After': '4' })
    await expect(enter()).rejects.toMatchObject({ name: 'ProblemError', problem: { status: 503, retryAfterSeconds: 4 } })
    refusal = { status: 404, body: 'nothing' }
    await expect(enter()).rejects.toMatchObject({ name: 'NotGatehouseError' })
    expect(knocks).toBe(2)
  })
})
