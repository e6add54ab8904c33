import { afterEach, describe, expect, it } from '@jest/globals'
import { connect } from '../../../sdk/connection/connect.ts'
import { EventsLostError, GatehouseError, RefusedError, SessionEndedError } from '../../../sdk/errors.ts'
import { createFakeGame, reach } from '../support/fake-session.ts'

let game: ReturnType<typeof createFakeGame>
const start = (options?: Parameters<typeof createFakeGame>[0]) => {
  game = createFakeGame(options)
  return game
}
afterEach(() => game.close())

describe('a session', () => {
  it('has its Welcome, and includes messages right after it', async () => {
    const { enter } = start()
    const session = await enter()
    let columns = 0
    session.on('chunk', () => {
      columns += 1
    })
    await session.ping()
    expect(session.welcome()).toMatchObject({ displayName: 'ann', world: { name: 'fake' } })
    expect(columns).toBe(25)
  })

  it('is in the requested world, after a lost connection too', async () => {
    const { server, held, enter } = start()
    const session = await enter('ann@example.com', { world: 'arena' })
    expect(session.welcome().world).toEqual({ name: 'arena' })
    const resumed = session.events('resumed')
    server.cut()
    await reach(session, 'waiting')
    held.advance(10_000)
    expect((await resumed.next()).value).toMatchObject({ world: { name: 'arena' } })
  })

  it('rejects without a sign-in instead of waiting forever', async () => {
    const { server } = start()
    const WebSocket = server.WebSocket
    const notAwaited = Promise.resolve() as never
    await expect(connect(notAwaited, { WebSocket })).rejects.toMatchObject({ type: 'no-sign-in' })
    const broken = {
      url: server.url,
      renew: async () => '',
      token: () => {
        throw new Error('no token today')
      },
    }
    await expect(connect(broken, { WebSocket })).rejects.toThrow('no token today')
  })

  it('explains the name of a world when it is invalid', async () => {
    const { enter } = start()
    await expect(enter('ann@example.com', { world: '../other' })).rejects.toMatchObject({
      type: 'invalid-world',
      message: '"../other" is not the name of a world. Use 1 to 64 letters, digits, _ or -.',
    })
  })

  it('matches answers of edits, commands and pings by their numbers', async () => {
    const { enter } = start()
    const session = await enter()
    const [done, refused, command] = await Promise.all([
      session.edit([{ x: 1, y: 64, z: 1, type: 'stone' }]),
      session.edit([{ x: 1, y: 64, z: 1, type: 'cheese' }]),
      session.command('/fly'),
    ])
    expect(done).toMatchObject({ ok: true })
    expect(refused).toMatchObject({ ok: false, reason: 'unknown-block' })
    expect(command).toMatchObject({ ok: false, text: 'There is no command /fly.' })
  })

  it('rejects invalid requests, and sends nothing of them', async () => {
    const { server, enter } = start()
    const session = await enter()
    const sent = server.received.length
    const wrong = session.edit([{ x: 1.5, y: 64, z: 1, type: 'stone' }])
    await expect(wrong).rejects.toMatchObject({ type: 'invalid-message', message: expect.stringContaining('1.5') })
    await expect(session.edit({ x: 1 } as never)).rejects.toMatchObject({ name: 'NotSentError', code: 'invalid-message' })
    await session.ping()
    expect(server.received.slice(sent).map(({ $case }) => $case)).toEqual(['ping'])
  })

  it('resolves a line of chat once it has been sent to players', async () => {
    const { enter } = start()
    const ann = await enter()
    const bob = await enter('bob@example.com')
    const heard: string[] = []
    ann.on('chat', ({ from, text }) => heard.push(`${from}: ${text}`))
    await bob.chat('hello')
    await ann.ping()
    expect(heard).toEqual(['bob: hello'])
  })

  it('rejects the line that the server refuses, and no other', async () => {
    const { server, enter } = start()
    const session = await enter()
    server.answerWith((message, player) => {
      if (message.$case !== 'chat' || message.value.text !== 'bad') return false
      player.send({ $case: 'error', value: { code: 'muted', message: 'You are muted until noon.' } })
      return true
    })
    const lines = await Promise.allSettled([session.chat('bad'), session.chat('good')])
    expect(lines[0]).toMatchObject({ status: 'rejected', reason: expect.any(RefusedError) })
    expect(lines[0]).toMatchObject({ reason: { type: 'muted', message: 'You are muted until noon.' } })
    expect(lines[1]).toMatchObject({ status: 'fulfilled' })
  })

  it('rejects an edit that the server refuses', async () => {
    const { server, enter } = start()
    const session = await enter()
    server.answerWith((message, player) => {
      if (message.$case !== 'editBlocks') return false
      player.send({ $case: 'error', value: { code: 'too-many', message: 'Not so fast.', seq: message.value.seq } })
      return true
    })
    await expect(session.edit([{ x: 1, y: 64, z: 1, type: 'stone' }])).rejects.toMatchObject({ type: 'too-many' })
  })

  it('stops waiting when the signal is aborted, before and after sending', async () => {
    const { server, enter } = start()
    const session = await enter()
    server.answerWith(({ $case }) => $case === 'command')
    const signal = AbortSignal.abort(new Error('changed my mind'))
    await expect(session.command('/who', { signal })).rejects.toThrow('changed my mind')
    const later = new AbortController()
    const command = session.command('/who', { signal: later.signal })
    later.abort(new Error('too long'))
    await expect(command).rejects.toThrow('too long')
    await session.ping()
    expect(server.received.filter(({ $case }) => $case === 'command')).toHaveLength(1)
  })

  it('reads events one after another, and ends when the session does', async () => {
    const { enter } = start()
    const ann = await enter()
    const bob = await enter('bob@example.com')
    const heard: string[] = []
    const reading = (async () => {
      for await (const { text } of ann.events('chat')) heard.push(text)
    })()
    await bob.chat('one')
    await bob.chat('two')
    await ann.ping()
    await ann.close()
    await reading
    expect(heard).toEqual(['one', 'two'])
  })

  it('notifies a slow reader of lost events', async () => {
    const { enter } = start()
    const session = await enter()
    const lines = session.events('chat', { limit: 2 })
    for (const text of ['one', 'two', 'three']) await session.chat(text)
    await session.ping()
    expect(await lines.next()).toMatchObject({ value: { text: 'one' } })
    expect(await lines.next()).toMatchObject({ value: { text: 'two' } })
    await expect(lines.next()).rejects.toBeInstanceOf(EventsLostError)
    expect(await lines.next()).toMatchObject({ done: true })
  })

  it('ends an iteration with the reason of its signal', async () => {
    const { enter } = start()
    const session = await enter()
    const stop = new AbortController()
    const next = session.events('chat', { signal: stop.signal }).next()
    stop.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
  })

  it('does not call a removed listener', async () => {
    const { enter } = start()
    const session = await enter()
    let heard = 0
    const end = session.on('chat', () => {
      heard += 1
    })
    await session.chat('one')
    end()
    await session.chat('two')
    expect(heard).toBe(1)
  })

  it('closes cleanly, and leaves no timer behind', async () => {
    const { server, held, enter, signIns } = start()
    const session = await enter()
    await session.close()
    signIns[0]?.signIn.close()
    expect(session.state()).toMatchObject({ name: 'ended', reason: 'left' })
    expect(server.received.at(-1)).toMatchObject({ $case: 'disconnect' })
    expect(server.players()).toEqual([])
    expect(held.waits()).toEqual([])
  })

  it('rejects every request after its end with the reason', async () => {
    const { enter } = start()
    const session = await enter()
    await session.close()
    const requests = [session.edit([]), session.command('/who'), session.chat('hello'), session.ping()]
    for (const request of requests)
      await expect(request).rejects.toMatchObject({
        name: 'SessionEndedError',
        code: 'left',
        message: expect.stringContaining('Nothing was sent'),
      })
    expect(session.move({ x: 1 })).toBeUndefined()
  })

  it('rejects with a GatehouseError when the address cannot be opened', async () => {
    const { enter } = start()
    class Refusing {
      constructor() {
        throw new SyntaxError('not here')
      }
    }
    const failure = await enter('ann@example.com', { WebSocket: Refusing }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(GatehouseError)
    expect(failure).toMatchObject({ code: 'invalid-address', message: expect.stringContaining('not here') })
  })

  it('closes while it waits to reconnect', async () => {
    const { server, held, enter, signIns } = start()
    const session = await enter()
    server.cut()
    await reach(session, 'waiting')
    await session.close()
    signIns[0]?.signIn.close()
    expect(session.state()).toMatchObject({ name: 'ended', reason: 'left' })
    expect(held.waits()).toEqual([])
  })

  it('can be closed from its own state listener', async () => {
    const { server, held, enter, signIns } = start()
    const session = await enter()
    session.on('state', ({ name }) => {
      if (name === 'waiting') void session.close()
    })
    server.cut()
    await reach(session, 'ended')
    signIns[0]?.signIn.close()
    expect(held.waits()).toEqual([])
  })

  it.each([
    ['bytes that are not a message', new Uint8Array([0xff, 0xff, 0xff])],
    ['a text', 'hello'],
    ['a section of the wrong size', new Uint8Array([0x12, 0x07, 0x1a, 0x05, 0x12, 0x01, 0x01, 0x18, 0x04])],
  ])('ends with a text when the server sends %s', async (_, frame) => {
    const { server, enter } = start()
    const session = await enter()
    server.sayRaw(frame)
    expect(await reach(session, 'ended')).toMatchObject({
      reason: 'not-gatehouse',
      text: expect.stringContaining('not part of the protocol'),
    })
  })

  it.each([
    { $case: 'correction', value: { seq: 0, reason: 'blocked', position: { x: Number.NaN, y: 64, z: 0, yaw: 0, pitch: 0 } } },
    {
      $case: 'players',
      value: {
        tick: 0,
        cells: [],
        gone: [],
        appeared: [
          {
            ref: 9,
            playerId: 'eve',
            displayName: 'Eve',
            position: { x: 0, y: Number.POSITIVE_INFINITY, z: 0, yaw: 0, pitch: 0 },
          },
        ],
      },
    },
  ] as const)('ends with a text when the server sends an invalid position: $$case', async (message) => {
    const { server, enter } = start()
    const session = await enter()
    server.say(message as never)
    expect(await reach(session, 'ended')).toMatchObject({ reason: 'not-gatehouse' })
  })

  it.each([
    { x: 1e16, y: 64, z: 0 },
    { x: 0, y: 1e10, z: 0 },
    { x: 0, y: 64, z: -30_001_000 },
  ])('ends with a text when the server puts the player outside of the world: $x $y $z', async (place) => {
    const { server, enter } = start()
    const session = await enter()
    server.say({ $case: 'correction', value: { seq: 0, reason: 'teleport', position: { ...place, yaw: 0, pitch: 0 } } })
    expect(await reach(session, 'ended')).toMatchObject({ reason: 'not-gatehouse' })
  })

  it('continues at the corners of the world', async () => {
    const { server, enter } = start()
    const session = await enter()
    const corner = { x: 30_000_000, y: 512, z: -30_000_000, yaw: 0, pitch: 0 }
    server.say({ $case: 'correction', value: { seq: 0, reason: 'teleport', position: corner } })
    await session.ping()
    expect(session.position()).toEqual(corner)
  })

  it('is not created when the server refuses, and rejects with the reason', async () => {
    const { server, held, enter, signIns } = start()
    server.meetWith((_, end) => {
      end.close(4002, 'protocol-version')
      return 'own'
    })
    const failure = await enter().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SessionEndedError)
    expect(failure).toMatchObject({ type: 'protocol-version', message: expect.stringContaining('gatehouse-client') })
    signIns[0]?.signIn.close()
    expect(held.waits()).toEqual([])
  })

  it('is not created when nothing answers', async () => {
    const { server, enter } = start()
    await enter('bob@example.com')
    server.meetWith(() => 'refused')
    await expect(enter()).rejects.toMatchObject({ type: 'unreachable', message: expect.stringContaining('http://fake') })
  })

  it('is not created when the token is refused and there is no other', async () => {
    const { server, enter } = start()
    server.meetWith((_, end) => {
      end.close(1008, 'invalid-token')
      server.setAway(true)
      return 'own'
    })
    await expect(enter()).rejects.toMatchObject({ type: 'unreachable', failure: 'refused' })
  })

  it('stops connecting when the signal is aborted', async () => {
    const { held, enter, signIns } = start()
    const stop = new AbortController()
    const entering = enter('ann@example.com', { signal: stop.signal })
    const failure = expect(entering).rejects.toThrow('enough')
    await new Promise(setImmediate)
    stop.abort(new Error('enough'))
    await failure
    for (const { signIn } of signIns) signIn.close()
    expect(held.waits()).toEqual([])
  })

  it('names the missing part when there is no WebSocket', async () => {
    const { signIns, enter } = start()
    await enter()
    const [first] = signIns
    await expect(first && connect(first.signIn, { WebSocket: 7 })).rejects.toThrow(/npm install ws/)
  })
})
