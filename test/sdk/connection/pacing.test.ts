import { afterEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import type { Session } from '../../../sdk/connection/connect.ts'
import { connect } from '../../../sdk/connection/connect.ts'
import { NotSentError } from '../../../sdk/errors.ts'
import { holdToken } from '../../support/sdk/hold-token.ts'
import { createFakeGame, reach } from '../support/fake-session.ts'
import { startPlayServer } from '../support/play-server.ts'

const block = (x: number) => [{ x, y: 64, z: 0, type: 'stone' }]

describe('the queue of requests', () => {
  let game: ReturnType<typeof createFakeGame>
  const enter = async () => {
    game = createFakeGame()
    return game.enter()
  }
  afterEach(() => game.close())
  const kinds = () => game.server.received.map(({ $case }) => $case)
  /** Rejections of requests that a test leaves behind. */
  const ignore = (requests: readonly Promise<unknown>[]) => {
    for (const request of requests) request.catch(() => undefined)
  }
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve))
  }

  it('sends half of the usual burst at once, and the rest as the budget refills', async () => {
    const session = await enter()
    ignore(Array.from({ length: 100 }, (_, x) => session.edit(block(x))))
    await settle()
    const edits = () => kinds().filter((kind) => kind === 'editBlocks').length
    expect(edits()).toBe(15)
    game.held.advance(1_000)
    await settle()
    expect(edits()).toBe(28)
  })

  it('keeps the order of edits, commands, chat and pings', async () => {
    const session = await enter()
    const done: string[] = []
    const note = (name: string) => () => done.push(name)
    const requests = Array.from({ length: 10 }, (_, x) => [
      session.edit(block(x)).then(note(`edit ${x}`)),
      session.chat(`line ${x}`).then(note(`chat ${x}`)),
      session.command('/who').then(note(`command ${x}`)),
      session.ping().then(note(`ping ${x}`)),
    ]).flat()
    const all = Promise.all(requests)
    for (let second = 0; second < 10; second += 1) {
      await settle()
      game.held.advance(1_000)
    }
    await all
    const names = ['edit', 'chat', 'command', 'ping']
    expect(done).toEqual(Array.from({ length: 10 }, (_, x) => names.map((name) => `${name} ${x}`)).flat())
  })

  it('follows the limits of Welcome', async () => {
    game = createFakeGame()
    game.server.setLimits({ messagesPerSecond: 10, burst: 20, editCost: 10, commandCost: 1 })
    const session = await game.enter()
    ignore(Array.from({ length: 3 }, (_, x) => session.edit(block(x))))
    await settle()
    expect(kinds().filter((kind) => kind === 'editBlocks')).toHaveLength(1)
  })

  it('runs four commands at a time', async () => {
    const session = await enter()
    game.server.answerWith(({ $case }) => $case === 'command')
    ignore(Array.from({ length: 6 }, () => session.command('/who')))
    await settle()
    expect(kinds().filter((kind) => kind === 'command')).toHaveLength(4)
  })

  it('rejects the 1,001st request that would wait', async () => {
    const session = await enter()
    ignore(Array.from({ length: 1_015 }, (_, x) => session.edit(block(x))))
    const error = await session.edit(block(0)).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(NotSentError)
    expect(error).toMatchObject({ code: 'queue-full', message: expect.stringContaining('Nothing was sent.') })
  })

  it('does not send a request whose signal aborts while it waits', async () => {
    const session = await enter()
    const stop = new AbortController()
    ignore(Array.from({ length: 15 }, (_, x) => session.edit(block(x))))
    const late = session.command('/who', { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(late).rejects.toThrow('enough')
    game.held.advance(60_000)
    await settle()
    expect(kinds()).not.toContain('command')
  })

  it('rejects waiting requests as not sent when the connection is lost', async () => {
    const session = await enter()
    game.server.answerWith(({ $case }) => $case === 'editBlocks')
    const edits = Array.from({ length: 20 }, (_, x) => session.edit(block(x)))
    game.server.cut()
    const names = (await Promise.allSettled(edits)).map((edit) => edit.status === 'rejected' && edit.reason.name)
    expect(names.filter((name) => name === 'ConnectionLostError')).toHaveLength(15)
    expect(names.filter((name) => name === 'NotSentError')).toHaveLength(5)
  })

  it('rejects waiting requests with the end of the session, and leaves no timer', async () => {
    const session = await enter()
    const edits = Array.from({ length: 20 }, (_, x) => session.edit(block(x)))
    ignore(edits)
    await session.close()
    await expect(edits.at(-1)).rejects.toMatchObject({ name: 'SessionEndedError', code: 'left' })
    game.signIns[0]?.signIn.close()
    expect(game.held.waits()).toEqual([])
  })

  it('resolves chat that begins with a slash with the result of the command', async () => {
    const session = await enter()
    const { text } = await session.chat('/fly')
    expect(text).toBe('There is no command /fly.')
    expect(await session.chat('hello')).toBeUndefined()
    expect(kinds()).toContain('command')
  })
})

describe('connect with a view radius', () => {
  let game: ReturnType<typeof createFakeGame>
  afterEach(() => game.close())

  it('requests the radius, 0 too, and again after a lost connection', async () => {
    game = createFakeGame()
    const session = await game.enter('ann@example.com', { viewRadius: 0 })
    const radii = () => game.server.received.filter(({ $case }) => $case === 'viewRadius')
    await session.ping()
    expect(radii()).toEqual([{ $case: 'viewRadius', value: { chunks: 0 } }])
    game.server.cut()
    await reach(session, 'waiting')
    game.held.advance(10_000)
    await reach(session, 'live')
    await session.ping()
    expect(radii()).toHaveLength(2)
  })

  it('rejects a radius that is not a whole number of chunks', async () => {
    game = createFakeGame()
    await expect(game.enter('ann@example.com', { viewRadius: -1 })).rejects.toMatchObject({ code: 'invalid-view-radius' })
  })
})

describe('many requests at once on a real-time node', () => {
  it('resolves 100 single edits and keeps the connection', async () => {
    const server = await startPlayServer()
    const session: Session = await connect(
      holdToken(server.url, await server.signIn(await server.addAccount('ann', ['admin']))),
      {
        WebSocket,
      },
    )
    try {
      const states: string[] = []
      session.on('state', ({ name }) => states.push(name))
      const { x, y, z } = session.position()
      const at = { x: Math.floor(x) + 2, y: Math.floor(y) + 2, z: Math.floor(z) }
      await session.ping()
      const edits = Array.from({ length: 100 }, (_, number) =>
        session.edit([{ ...at, type: number % 2 === 0 ? 'stone' : 'air' }]),
      )
      const results = await Promise.all(edits)
      expect(results.map(({ reason }) => reason).filter((reason) => reason !== '')).toEqual([])
      expect(states).toEqual([])
    } finally {
      await session.close()
      await server.close()
    }
  })
})
