import { describe, expect, it } from '@jest/globals'
import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { playerStates } from '../../../shared/domain/players/player-state.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture, type RealtimeFixtureOptions } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const createWorld = (options: Omit<RealtimeFixtureOptions, 'clock'> = {}) => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock, ...options })
  const tick = (milliseconds = 50) => {
    clock.advance(milliseconds)
    fixture.loop.tick(clock.monotonic())
  }
  const connect = async (token: string, resumeToken?: string) => {
    const client = openFakeClient(fixture)
    const value = { token, protocolVersion: 1, clientName: 'test', ...(resumeToken === undefined ? {} : { resumeToken }) }
    client.send({ $case: 'connect', value })
    await waitFor(fixture.loop.isIdle)
    tick()
    return client
  }
  const join = async (name: string) => connect(await fixture.signIn(await fixture.addAccount(name)))
  return { ...fixture, clock, tick, connect, join }
}

type World = ReturnType<typeof createWorld>
type Client = Awaited<ReturnType<World['join']>>

const moveTo = (client: Client, to: Partial<{ seq: number; x: number; y: number; z: number; yaw: number; pitch: number }>) =>
  client.send({ $case: 'move', value: { seq: 1, x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0, ...to } })

describe('a step', () => {
  it.each([
    ['too-fast', 'of 20 blocks at once', { x: 20 }],
    ['too-fast', 'of 50 blocks down at once', { y: 10 }],
    ['out-of-bounds', 'beyond the height of the world', { y: 513 }],
    ['out-of-bounds', 'below the world', { y: -1 }],
    ['out-of-bounds', 'beyond the edge of the world', { x: 30_000_001 }],
    ['invalid', 'to NaN', { x: Number.NaN }],
    ['invalid', 'to infinity', { z: Number.POSITIVE_INFINITY }],
    ['invalid', 'with a yaw of NaN', { yaw: Number.NaN }],
  ])('is refused as %s with the position of the player when it is %s', async (reason, _what, to) => {
    const refused: string[] = []
    const countRefusedMove = (counted: string): number => refused.push(counted)
    const { join, tick, loop } = createWorld({ metrics: { ...createRealtimeMetrics(), countRefusedMove } })
    const client = await join('ann')
    moveTo(client, { seq: 9, ...to })
    tick()
    expect(refused).toEqual([reason])
    expect(client.find('correction')).toEqual({ seq: 9, position: { x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0 }, reason })
    expect(loop.live.listPlayers()[0]?.position).toMatchObject({ x: 0.5, y: 64, z: 0.5 })
  })

  it('is allowed at 22 blocks a second without a time limit, and not at 24', async () => {
    const { join, tick, loop } = createWorld()
    const [runner, cheat] = [await join('ann'), await join('bob')]
    // Above the highest blocks, so that only speed matters.
    for (const { playerId, position } of loop.live.listPlayers()) loop.live.teleport(playerId, { ...position, y: 300 })
    tick()
    for (const { received } of [runner, cheat]) received.length = 0
    for (let i = 1; i <= 400; i += 1) {
      moveTo(runner, { seq: i, x: 0.5 + i * 1.1, y: 300 })
      moveTo(cheat, { seq: i, x: 0.5 + i * 1.2, y: 300 })
      tick()
    }
    expect(runner.find('correction')).toBeUndefined()
    expect(cheat.find('correction')).toMatchObject({ reason: 'too-fast' })
  })

  it('keeps yaw within a turn and pitch within straight up and down', async () => {
    const { join, tick, loop } = createWorld()
    const client = await join('ann')
    moveTo(client, { yaw: -90, pitch: 120 })
    tick()
    expect(loop.live.listPlayers()[0]?.position).toMatchObject({ yaw: 270, pitch: 90 })
  })

  it('that is older than the last one changes nothing, and the number may wrap', async () => {
    const { join, tick, loop } = createWorld()
    const client = await join('ann')
    moveTo(client, { seq: 0xffffffff, x: 1 })
    moveTo(client, { seq: 2, x: 2 })
    moveTo(client, { seq: 0xfffffffe, x: 3 })
    moveTo(client, { seq: 1, x: 4 })
    tick()
    expect(loop.live.listPlayers()[0]?.position.x).toBe(2)
  })
})

describe('a lost connection', () => {
  it('can be resumed within the window and not after it', async () => {
    const { join, tick, connect, loop } = createWorld({ settings: { resumeSeconds: 60 } })
    const [early, late] = [await join('ann'), await join('bob')]
    const secrets = [early, late].map((client) => client.find('welcome')?.resumeToken)
    for (const client of [early, late]) client.connection.ended()
    tick()
    tick(59_000)
    expect((await connect('', secrets[0])).find('welcome')).toMatchObject({ displayName: 'ann' })
    tick(2000)
    expect(loop.live.listPlayers().map(({ displayName }) => displayName)).toEqual(['ann'])
    const refused = await connect('', secrets[1])
    expect([refused.find('kick')?.code, refused.socket.closedWith]).toEqual(['invalid-resume', 1008])
  })

  it('gives up its seat to a new player when the node is full', async () => {
    const { join, tick, loop } = createWorld({ settings: { maxSessions: 1 } })
    const client = await join('ann')
    expect((await join('bob')).socket.closedWith).toBe(1013)
    client.connection.ended()
    tick()
    await join('cleo')
    expect(loop.live.listPlayers().map(({ displayName }) => displayName)).toEqual(['cleo'])
  })
})

describe('a new connection of a player who is in the game', () => {
  it.each(['its resume token', 'a token'])('by %s may count its moves from 1 again', async (by) => {
    const { join, tick, connect, signIn, accountStore, loop } = createWorld()
    const before = await join('ann')
    moveTo(before, { seq: 5000, x: 1 })
    before.connection.ended()
    tick()
    const account = await accountStore.findByEmail('ann@example.com')
    if (account === undefined) throw new Error('no account')
    const after = await (by === 'a token' ? connect(await signIn(account)) : connect('', before.find('welcome')?.resumeToken))
    moveTo(after, { seq: 1, x: 2 })
    tick()
    expect(loop.live.listPlayers()[0]?.position.x).toBe(2)
  })
})

describe('a connection', () => {
  it('that is silent for 30 s after a ping is closed, however close together its first pings are', async () => {
    const { join, clock } = createWorld()
    const client = await join('ann')
    const pingAfter = (seconds: number) => {
      clock.advance(seconds * 1000)
      client.connection.heartbeat()
    }
    for (const seconds of [0, 15]) pingAfter(seconds)
    expect(client.connection.payFor('pong')).toBe(true)
    for (const seconds of [15, 5, 15]) pingAfter(seconds)
    expect(client.socket).toMatchObject({ pings: 5, isTerminated: false })
    pingAfter(15)
    expect(client.socket.isTerminated).toBe(true)
  })

  it('that could not be read because the server stalled is not closed', async () => {
    const { join, clock } = createWorld()
    const client = await join('ann')
    client.connection.heartbeat()
    clock.advance(60_000)
    client.connection.heartbeat()
    expect(client.socket.isTerminated).toBe(false)
  })

  it('gets no movement above half of its outgoing buffer, and is closed with 4008 above all', async () => {
    const { join, tick, settings } = createWorld()
    const [slow, walker] = [await join('slow'), await join('walker')]
    tick()
    slow.socket.buffered = settings().outgoingBufferBytes / 2 + 1
    slow.received.length = 0
    moveTo(walker, { x: 2 })
    tick()
    expect(slow.received).toEqual([])
    slow.socket.buffered = 0
    tick()
    expect(slow.find('players')?.cells).toHaveLength(1)
    slow.socket.buffered = settings().outgoingBufferBytes + 1
    moveTo(walker, { seq: 2, x: 3 })
    walker.send({ $case: 'chat', value: { text: 'hello' } })
    tick()
    expect([slow.find('kick')?.code, slow.socket.closedWith]).toEqual(['too-slow', 4008])
    expect(walker.socket.closedWith).toBeUndefined()
  })

  it('that is revoked while its token is being checked gets no session', async () => {
    const { addAccount, signIn, tokens, loop, tick, watch, ...world } = createWorld()
    const account = await addAccount('ann')
    const token = await signIn(account)
    const { find } = tokens
    let answer: (() => void) | undefined
    const gate = new Promise<void>((resolve) => {
      answer = resolve
    })
    let calls = 0
    tokens.find = async (asked) => {
      const record = await find(asked)
      calls += 1
      if (calls === 1) await gate
      return record
    }
    await watch.start()
    const client = openFakeClient({ ...world, addAccount, signIn, tokens, loop, watch })
    client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: '' } })
    await waitFor(() => calls === 1)
    const record = await tokens.revoke(token)
    await world.events.publish('sign-in-ended', { playerId: account.playerId, signInId: record?.signInId ?? '' })
    answer?.()
    await waitFor(() => {
      tick()
      return client.socket.closedWith !== undefined
    })
    watch.close()
    expect([client.socket.closedWith, loop.live.listPlayers()]).toEqual([1008, []])
  })
})

describe('the end of all sign-ins of an account', () => {
  it.each([
    ['ends a session of an earlier sign-in', 1, 4003],
    ['keeps a session of a later sign-in in the same millisecond, as the token store does', 0, undefined],
  ])('%s', async (_what, later, closedWith) => {
    const { join, tick, loop, clock } = createWorld()
    const at = clock.now() + later
    const client = await join('ann')
    const playerId = client.find('welcome')?.playerId ?? ''
    loop.accounts.signInEnded({ playerId, at })
    tick()
    expect(client.socket.closedWith).toBe(closedWith)
  })
})

describe('a player who is checked and not yet in the game', () => {
  it('has groups that were added since the check when the event was lost', async () => {
    const { addAccount, signIn, accountStore, tick, watch, loop, ...world } = createWorld()
    const account = await addAccount('ann')
    const client = openFakeClient({ ...world, addAccount, signIn, accountStore, watch, loop })
    await watch.checkAccounts()
    client.send({ $case: 'connect', value: { token: await signIn(account), protocolVersion: 1, clientName: '' } })
    await waitFor(loop.isIdle)
    const changed = { ...account, groups: ['moderator'] }
    await accountStore.change(account.email, () => ({ next: changed, result: changed }))
    await watch.checkAccounts()
    await waitFor(() => {
      tick()
      return client.find('welcome') !== undefined
    })
    expect(client.find('welcome')?.groups).toEqual(['moderator'])
  })

  it('has a command switched off that another player switched off since the check', async () => {
    const { addAccount, signIn, store, tick, loop, ...world } = createWorld()
    const account = await addAccount('ann')
    const client = openFakeClient({ ...world, addAccount, signIn, store, loop })
    client.send({ $case: 'connect', value: { token: await signIn(account), protocolVersion: 1, clientName: '' } })
    await waitFor(loop.isIdle)
    await store.put(playerStates, account.playerId, { disabledBySelf: [], disabledByOthers: ['who'] })
    loop.live.setDisabledCommands(account.playerId, new Set(['who']))
    await waitFor(() => {
      tick()
      return client.find('welcome') !== undefined
    })
    expect(client.find('welcome')?.commands.map(({ name }) => name)).not.toContain('who')
  })

  it('gets no session when the sign-in ends while they wait in a rush', async () => {
    const { addAccount, signIn, tokens, loop, tick, ...world } = createWorld()
    const arrivals = await Promise.all(
      Array.from({ length: 200 }, async (_unused, i) => {
        const account = await addAccount(`p${i}`)
        const token = await signIn(account)
        return { account, token, client: openFakeClient({ ...world, addAccount, signIn, tokens, loop }) }
      }),
    )
    for (const { client, token } of arrivals)
      client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: '' } })
    await waitFor(loop.isIdle)
    tick()
    const last = arrivals.findLast(({ client }) => client.find('welcome') === undefined)
    if (last === undefined) throw new Error('nobody waits')
    await tokens.revoke(last.token)
    const { playerId } = last.account
    loop.accounts.noteChange(playerId)
    loop.accounts.signInEnded({ playerId, at: world.clock.now() + 1 })
    for (let i = 0; i < 10; i += 1) {
      await waitFor(loop.isIdle)
      tick()
    }
    expect([last.client.find('welcome'), last.client.socket.closedWith]).toEqual([undefined, 1008])
    expect(loop.live.listPlayers()).toHaveLength(199)
  })
})

describe('a burst of chat', () => {
  it('is cut before it stalls the tick, with a notice, and accepted /say lines follow later', async () => {
    const { join, tick, loop } = createWorld({ settings: { messageBurst: 20_000 } })
    const speaker = await join('ann')
    const listener = await join('bob')
    const said = () => listener.received.filter(({ $case }) => $case === 'chatMessage').length
    listener.received.length = 0
    for (let i = 0; i < 4000; i += 1) speaker.send({ $case: 'chat', value: { text: 'hello' } })
    tick()
    const room = said()
    expect(room).toBeGreaterThan(1000)
    expect(room).toBeLessThan(4000)
    expect(speaker.received.filter(({ $case }) => $case === 'error')).toHaveLength(4000 - room)
    expect(speaker.find('error')).toMatchObject({ code: 'busy' })
    for (let i = 0; i < 1000; i += 1) speaker.send({ $case: 'chat', value: { text: 'hello' } })
    loop.live.say('Mo', 'attention', 'mo')
    tick()
    expect(listener.find('chatMessage')).toMatchObject({ text: 'hello' })
    tick()
    expect(listener.find('chatMessage')).toMatchObject({ from: 'Mo', text: 'attention' })
  })

  it('queues 256 lines of `/say`, refuses more, and accepts some again when those were sent', async () => {
    const { join, tick, loop } = createWorld()
    const listener = await join('bob')
    const answers = Array.from({ length: 300 }, (_, index) => loop.live.say('Mo', String(index), 'mo'))
    expect(answers.filter(Boolean)).toHaveLength(256)
    expect(answers.at(-1)).toBe(false)
    tick()
    expect(listener.received.filter(({ $case }) => $case === 'chatMessage')).toHaveLength(256)
    expect(loop.live.say('Mo', 'again', 'mo')).toBe(true)
  })
})

describe('a rush of arrivals', () => {
  it('at one point is admitted over several ticks, each of bounded work', async () => {
    const { addAccount, signIn, loop, tick, ...world } = createWorld()
    const clients = await Promise.all(
      Array.from({ length: 200 }, async (_unused, i) => {
        const client = openFakeClient({ ...world, addAccount, signIn, loop })
        client.send({
          $case: 'connect',
          value: { token: await signIn(await addAccount(`p${i}`)), protocolVersion: 1, clientName: '' },
        })
        return client
      }),
    )
    await waitFor(loop.isIdle)
    tick()
    const first = loop.live.listPlayers().length
    expect(first).toBeGreaterThan(50)
    expect(first).toBeLessThan(150)
    for (let i = 0; i < 6; i += 1) tick()
    expect(clients.filter((client) => client.find('welcome') !== undefined)).toHaveLength(200)
  })
})
