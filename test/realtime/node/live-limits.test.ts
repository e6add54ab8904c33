import { afterEach, describe, expect, it } from '@jest/globals'
import { followReloads } from '../../../realtime/node/follow-reloads.ts'
import type { ServerConfig } from '../../../shared/domain/configs/server/server-config.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { flatBlocks } from '../../support/worlds/flat-world.ts'

type Settings = Partial<ServerConfig['realtime']>

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const createScene = (settings: Settings = {}) => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock, settings })
  const { loop, world, configs } = fixture
  ends.push(world.close)
  const clients: ReturnType<typeof openFakeClient>[] = []
  const settingsChanged = () => {
    for (const { connection } of clients) connection.limitsChanged()
  }
  followReloads({ configs, loop, server: { settingsChanged } })
  ends.push(async () => {
    for (const { connection } of clients) connection.ended()
  })
  const tick = (milliseconds = 50) => {
    clock.advance(milliseconds)
    loop.tick(clock.monotonic())
  }
  const tickUntil = (holds: () => boolean) =>
    waitFor(() => {
      tick()
      return holds()
    })
  const open = () => {
    const client = openFakeClient(fixture)
    clients.push(client)
    return client
  }
  const connect = async (value: { token: string; resumeToken?: string; viewRadius?: number }) => {
    const client = open()
    client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', ...value } })
    await waitFor(loop.isIdle)
    tick()
    return client
  }
  const join = async (name: string) => connect({ token: await fixture.signIn(await fixture.addAccount(name)) })
  const reload = (realtime: Settings) => {
    configs.set({ blocks: flatBlocks, server: { realtime } })
    tick()
  }
  return { ...fixture, tick, tickUntil, open, connect, join, reload }
}

type Client = ReturnType<typeof openFakeClient>

/** The columns that a client has. */
const columnsOf = ({ received }: Client): Set<string> => {
  const columns = new Set<string>()
  for (const { $case, value } of received) {
    if ($case === 'welcome') columns.clear()
    if ($case === 'chunk') columns.add(`${value.cx} ${value.cz}`)
    if ($case === 'chunkGone') columns.delete(`${value.cx} ${value.cz}`)
  }
  return columns
}
/** The size of a square with that radius; columns one beyond each side stay if they were loaded. */
const square = (radius: number): number => (2 * radius + 1) ** 2

const ping = (client: Client, times: number) => {
  for (let nonce = 1; nonce <= times; nonce += 1) client.send({ $case: 'ping', value: { nonce } })
}

describe('limits that a reload changes, for connected players', () => {
  it('shrink a wider view, and let it grow up to the requested radius', async () => {
    const { join, reload, tickUntil, world } = createScene({ viewRadius: 5 })
    const [ann, bob] = [await join('ann'), await join('bob')]
    bob.send({ $case: 'viewRadius', value: { chunks: 16 } })
    const have = (annRadius: number, bobRadius: number) =>
      tickUntil(() => columnsOf(ann).size === square(annRadius) && columnsOf(bob).size === square(bobRadius))
    await have(5, 5)
    reload({ viewRadius: 2 })
    await have(3, 3)
    expect(world.streaming.stats().views).toBe(2)
    reload({ viewRadius: 8 })
    await have(5, 8)
    expect((await join('cid')).find('welcome')?.viewRadius).toBe(8)
  })

  it('send no terrain for a view radius of 0, in Connect or later', async () => {
    const { join, connect, tick, tickUntil, world } = createScene({ viewRadius: 3 })
    const ann = await join('ann')
    await tickUntil(() => columnsOf(ann).size === square(3))
    const token = ann.find('welcome')?.resumeToken ?? ''
    ann.connection.ended()
    tick()
    const bot = await connect({ token: '', resumeToken: token, viewRadius: 0 })
    expect(bot.find('welcome')?.viewRadius).toBe(0)
    for (let count = 0; count < 20; count += 1) tick()
    expect([columnsOf(bot).size, world.streaming.stats().views]).toEqual([0, 0])
    bot.send({ $case: 'viewRadius', value: { chunks: 2 } })
    await tickUntil(() => columnsOf(bot).size === square(2))
    bot.send({ $case: 'viewRadius', value: { chunks: 0 } })
    tick()
    expect(world.streaming.stats().views).toBe(0)
  })

  it('apply to a player who is away, as soon as they are back', async () => {
    const { join, connect, reload, tick } = createScene({ viewRadius: 5 })
    const ann = await join('ann')
    ann.connection.ended()
    tick()
    reload({ viewRadius: 2 })
    const back = await connect({ token: '', resumeToken: ann.find('welcome')?.resumeToken ?? '' })
    expect(back.find('welcome')?.viewRadius).toBe(2)
  })

  it('limit the rate of messages', async () => {
    const { join, reload, tick } = createScene()
    // After late ticks, here of 5 s, messages that waited for them are accepted.
    const rest = () => {
      for (let count = 0; count < 100; count += 1) tick()
    }
    const [ann, bob] = [await join('ann'), await join('bob')]
    rest()
    ping(ann, 30)
    reload({ messagesPerSecond: 5, messageBurst: 10 })
    rest()
    ping(ann, 10)
    expect(ann.socket.closedWith).toBeUndefined()
    ping(ann, 1)
    expect(ann.socket.closedWith).toBe(4029)
    reload({ messagesPerSecond: 200, messageBurst: 500 })
    rest()
    ping(bob, 500)
    expect(bob.socket.closedWith).toBeUndefined()
  })

  it('close longer messages with 1009, and clients with more unread bytes with 4008', async () => {
    const { join, reload } = createScene({ outgoingBufferBytes: 200_000 })
    const [ann, bob] = [await join('ann'), await join('bob')]
    reload({ maxMessageBytes: 8192, outgoingBufferBytes: 65_536 })
    ann.connection.receive(new Uint8Array(8193), 'binary')
    expect(ann.socket.closedWith).toBe(1009)
    bob.socket.buffered = 100_000
    bob.connection.send({ $case: 'pong', value: { nonce: 1, serverTime: 1 } })
    expect(bob.socket.closedWith).toBe(4008)
  })

  it('keep all sessions when fewer are allowed, and admit no others', async () => {
    const { join, reload } = createScene({ maxSessions: 2 })
    const players = [await join('ann'), await join('bob')]
    reload({ maxSessions: 1 })
    expect(players.map(({ socket }) => socket.closedWith)).toEqual([undefined, undefined])
    expect((await join('cid')).socket.closedWith).toBe(1013)
    reload({ maxSessions: 3 })
    expect((await join('dan')).find('welcome')).toBeDefined()
  })

  it('keep lost connections resumable for the current window', async () => {
    const { join, reload, tick, connect } = createScene({ resumeSeconds: 60 })
    const [ann, bob] = [await join('ann'), await join('bob')]
    const resume = ({ find }: Client) => connect({ token: '', resumeToken: find('welcome')?.resumeToken ?? '' })
    ann.connection.ended()
    tick()
    tick(50_000)
    bob.connection.ended()
    tick()
    reload({ resumeSeconds: 10 })
    tick(9_000)
    expect((await resume(ann)).socket.closedWith).toBe(1008)
    expect((await resume(bob)).find('welcome')?.resumeSeconds).toBe(10)
  })

  it('change the time that a client has to send Connect', async () => {
    const { open, reload, tick } = createScene({ connectTimeoutMs: 100 })
    const client = open()
    reload({ connectTimeoutMs: 60_000 })
    tick(30_000)
    // A later client with the original time.
    const witness = createScene({ connectTimeoutMs: 100 }).open()
    await waitFor(() => witness.socket.closedWith === 1008)
    expect(client.socket.closedWith).toBeUndefined()
    reload({ connectTimeoutMs: 1000 })
    await waitFor(() => client.socket.closedWith === 1008)
  })
})
