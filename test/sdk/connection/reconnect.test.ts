import { afterEach, describe, expect, it } from '@jest/globals'
import type { SocketConstructor } from '../../../sdk/connection/socket.ts'
import { ConnectionLostError, TooManyMessagesError } from '../../../sdk/errors.ts'
import { createFakeGame, reach } from '../support/fake-session.ts'

type Game = ReturnType<typeof createFakeGame>
let game: Game
const start = (options?: Parameters<typeof createFakeGame>[0]): Game => {
  game = createFakeGame(options)
  return game
}
afterEach(() => game.close())

const connects = ({ server }: Game) => server.received.flatMap((message) => (message.$case === 'connect' ? [message.value] : []))

describe('a session that loses its connection', () => {
  it('reconnects by itself with the resume token, at the same place', async () => {
    const { server, held, enter } = start()
    const session = await enter()
    session.move({ x: 3.5 })
    await session.ping()
    const states: string[] = []
    session.on('state', ({ name }) => states.push(name))
    const resumed = new Promise((resolve) => session.on('resumed', resolve))

    server.cut()
    await reach(session, 'waiting')
    held.advance(8_000)
    await resumed

    expect(states).toEqual(['waiting', 'resuming', 'live'])
    expect(session.position().x).toBe(3.5)
    expect(connects(game)[1]).toMatchObject({ token: '', resumeToken: expect.stringMatching(/^[\da-f-]{36}$/) })
  })

  it('waits with full jitter, from up to 0.25 s to up to 8 s', async () => {
    const { server, held, enter } = start({ random: () => 0.999 })
    const session = await enter()
    server.setAway(true)
    server.cut()
    const waits: number[] = []
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const state = await reach(session, 'waiting')
      const waitMs = state.name === 'waiting' ? state.retryAt - held.timers.now() : Number.NaN
      waits.push(Math.round(waitMs / 0.999))
      const again = reach(session, 'resuming')
      held.advance(waitMs)
      await again
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
  })

  it('signs in again when the server knows neither its session nor its token', async () => {
    const { server, held, enter } = start()
    const session = await enter()
    server.forget()
    server.cut()
    await reach(session, 'waiting')
    const live = reach(session, 'live')
    held.advance(8_000)
    await live
    expect(connects(game).map(({ resumeToken }) => resumeToken !== undefined)).toEqual([false, true, false, false])
  })

  it('rejects unanswered requests, and does not send them again', async () => {
    const { server, held, enter } = start()
    const session = await enter()
    server.answerWith(({ $case }) => $case === 'editBlocks' || $case === 'command')
    const edit = session.edit([{ x: 1, y: 64, z: 1, type: 'stone' }])
    const command = session.command('/who')
    server.cut()
    await expect(edit).rejects.toBeInstanceOf(ConnectionLostError)
    await expect(command).rejects.toBeInstanceOf(ConnectionLostError)
    const live = reach(session, 'live')
    held.advance(8_000)
    await live
    await session.ping()
    expect(server.received.filter(({ $case }) => $case === 'editBlocks')).toHaveLength(1)
  })

  it('rejects unanswered requests with its own error after too many messages', async () => {
    const { server, enter } = start()
    const session = await enter()
    server.answerWith(({ $case }) => $case === 'editBlocks')
    const edit = session.edit([{ x: 1, y: 64, z: 1, type: 'stone' }])
    server.kick({ code: 'too-many-messages', reason: 'Too many messages.' }, 4029)
    const error = await edit.catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(TooManyMessagesError)
    expect(error).toBeInstanceOf(ConnectionLostError)
    expect(error).toMatchObject({ code: 'too-many-messages' })
  })

  it('rejects requests without a connection, and sends nothing', async () => {
    const { server, enter } = start()
    const session = await enter()
    server.cut()
    await reach(session, 'waiting')
    await expect(session.chat('hello')).rejects.toMatchObject({ name: 'NotSentError', code: 'not-connected' })
    expect(session.move({ x: 9 })).toBeUndefined()
    expect(session.position().x).toBe(0.5)
  })

  it.each([
    [4001, 'displaced'],
    [4001, 'in-use'],
    [4002, 'protocol-version'],
    [4003, 'kicked'],
    [4003, 'banned'],
  ])('never reconnects after %i %s', async (code, reason) => {
    const { server, held, enter } = start()
    const session = await enter()
    server.kick({ code: reason, reason: 'Because.' }, code)
    const state = await reach(session, 'ended')
    expect(state).toMatchObject({ name: 'ended', reason, text: expect.stringContaining('Because.') })
    expect(held.waits().filter((ms) => ms < 60_000)).toEqual([])
    expect(connects(game)).toHaveLength(1)
  })

  it('waits for the delay of Kick, whatever its own would be', async () => {
    const { server, held, enter } = start()
    const session = await enter()
    server.kick({ code: 'going-away', retryAfterSeconds: 30 }, 1001)
    const state = await reach(session, 'waiting')
    expect(state).toMatchObject({ retryAt: held.timers.now() + 30_000 })
  })

  it('uses the address in Kick, after the delay in Kick', async () => {
    const { server, held, enter } = start()
    const session = await enter()
    const addresses: string[] = []
    server.kick({ code: 'going-away', resumeUrl: 'http://other.invalid/', retryAfterMs: 40 }, 1001)
    const state = await reach(session, 'waiting')
    expect(state).toMatchObject({ retryAt: held.timers.now() + 40 })
    server.meetWith(({ href }) => {
      addresses.push(href)
      return 'accepted'
    })
    const live = reach(session, 'live')
    held.advance(40)
    await live
    expect(addresses).toEqual(['ws://other.invalid/realtime'])
  })

  it('resumes through the first address when the one in Kick cannot be opened', async () => {
    const { server, held, enter } = start()
    const WebSocket = class {
      constructor(url: string) {
        // Safari does this for addresses outside the policy of the page.
        if (url.includes('other')) throw new DOMException('The operation is insecure.', 'SecurityError')
        const Fake = server.WebSocket as SocketConstructor
        // biome-ignore lint/correctness/noConstructorReturn: stands in for the fake server's sockets.
        return new Fake(url)
      }
    }
    const session = await enter('ann@example.com', { WebSocket })
    server.kick({ code: 'going-away', resumeUrl: 'http://other.invalid', retryAfterMs: 40 }, 1001)
    await reach(session, 'waiting')
    const again = reach(session, 'resuming')
    held.advance(40)
    await again
    expect(await reach(session, 'waiting')).toMatchObject({ text: expect.stringContaining('other.invalid') })
    const live = reach(session, 'live')
    held.advance(8_000)
    await live
    expect(connects(game)[1]).toMatchObject({ token: '', resumeToken: expect.stringMatching(/^[\da-f-]{36}$/) })
  })

  it('ends when the password has changed', async () => {
    const { server, held, enter, signIns } = start({ password: 'a long password' })
    const session = await enter()
    server.setPassword('another one')
    server.forget()
    server.cut()
    await reach(session, 'waiting')
    held.advance(8_000)
    expect(await reach(session, 'ended')).toMatchObject({ reason: 'invalid-credentials' })
    expect(signIns).toHaveLength(1)
  })

  it('keeps waiting while the sign-in is unavailable', async () => {
    const { server, held, enter } = start()
    const session = await enter()
    server.setAway(true)
    server.forget()
    server.cut()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await reach(session, 'waiting')
      const again = reach(session, 'resuming')
      held.advance(8_000)
      await again
    }
    await reach(session, 'waiting')
    server.setAway(false)
    const live = reach(session, 'live')
    held.advance(8_000)
    await live
  })

  it('pings a server that is silent for 15 s, and closes it after another 15', async () => {
    const { server, held, enter } = start()
    const session = await enter()
    await session.ping()
    server.answerWith(({ $case }) => $case === 'ping')
    held.advance(15_000)
    expect(session.state().name).toBe('live')
    held.advance(15_000)
    expect(session.state().name).toBe('waiting')
    server.answerWith(() => false)
  })
})
