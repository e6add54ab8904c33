import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { createGameClient, type GameClient } from '../../../../infra/play/client/game-client.ts'
import { createGameSession } from '../../../../infra/play/client/game-session.ts'
import { walk } from '../../../../infra/play/commands/walk.ts'
import { waitFor } from '../../../support/time/wait-for.ts'
import { startPlayServer } from '../play-server.ts'

let server: Awaited<ReturnType<typeof startPlayServer>>
beforeEach(async () => {
  server = await startPlayServer()
})
afterEach(() => server.close())

const connect = async (name: string, options: { binary?: boolean; groups?: string[] } = {}): Promise<GameClient> => {
  const account = await server.addAccount(name, options.groups)
  const token = await server.signIn(account)
  return createGameClient({ url: server.url, token, binary: options.binary ?? true, WebSocket })
}

describe.each([true, false])('the game client (binary frames: %s)', (binary) => {
  it('is welcomed, chats, pings, runs commands and leaves', async () => {
    const client = await connect('ann', { binary })
    const welcome = await client.welcomed
    expect(welcome).toMatchObject({ displayName: 'ann', groups: ['player'], tickRate: 20 })
    expect(welcome.commands.map(({ name }) => name)).toContain('who')
    const heard = once(client.events, 'chat')
    client.chat('hello 世界')
    expect(await heard).toMatchObject([{ from: 'ann', text: 'hello 世界' }])
    expect(await client.command('/who')).toMatchObject({ ok: true, data: { players: [{ displayName: 'ann' }] } })
    expect(await client.command('/tp 1 2 3')).toMatchObject({ ok: false, data: { code: 'missing-permission' } })
    expect((await client.ping()).serverTime).toBeGreaterThan(0)
    expect(await client.disconnect()).toMatchObject({ code: 1000 })
    await expect(client.command('/who')).rejects.toThrow('no connection')
  })

  it('knows who is near and where', async () => {
    const [ann, bob] = [await connect('ann', { binary }), await connect('bob', { binary: !binary })]
    await Promise.all([ann.welcomed, bob.welcomed])
    await waitFor(() => ann.nearby.list().length === 1)
    const { x, z } = bob.position()
    expect(await walk(bob, { towards: 'west', blocks: 1, signal: new AbortController().signal })).toBeUndefined()
    expect(bob.position()).toMatchObject({ x: expect.closeTo(x - 1, 5), z })
    await waitFor(() => Math.abs((ann.nearby.list()[0]?.x ?? 0) - (x - 1)) < 0.1)
    await bob.disconnect()
    await waitFor(() => ann.nearby.list().length === 0)
    await ann.disconnect()
  })
})

describe('the game client', () => {
  it('is put back by a Correction', async () => {
    const client = await connect('ann')
    await client.welcomed
    const before = client.position()
    const corrected = once(client.events, 'correction')
    const seq = client.move({ x: 5_000 })
    expect(await corrected).toMatchObject([{ seq, reason: 'too-fast' }])
    expect(client.position()).toEqual(before)
    await client.disconnect()
  })

  it('says why it was not let in', async () => {
    const client = createGameClient({ url: server.url, token: 'nonsense', binary: true, WebSocket })
    await expect(client.welcomed).rejects.toThrow(/token/)
    expect(await client.closed).toMatchObject({ code: 1008, kick: { code: 'invalid-token' } })
    const nowhere = createGameClient({ url: 'http://127.0.0.1:9', token: 'x', binary: true, WebSocket })
    expect(await nowhere.closed).toMatchObject({ code: 1006, error: { code: 'ECONNREFUSED' } })
  })
})

describe('a game session', () => {
  const createSession = async (name: string) => {
    const token = await server.signIn(await server.addAccount(name))
    const clients: GameClient[] = []
    const retries: string[] = []
    const session = createGameSession({
      connect: (credential, url) => createGameClient({ url, binary: true, WebSocket, ...credential }),
      url: server.url,
      token: () => token,
      onConnection: (client) => clients.push(client),
      onRetry: (text) => retries.push(text),
    })
    return { session, clients, retries }
  }

  it('comes back to the same place after a lost socket', async () => {
    const { session, retries } = await createSession('ann')
    const first = await session.ready()
    if (first === undefined) throw new Error('not in the game')
    await walk(first, { towards: 'east', blocks: 2, signal: new AbortController().signal })
    const place = first.position()
    await first.ping()
    first.drop()
    await first.closed
    const second = await session.ready()
    expect(second?.position()).toEqual(place)
    expect(retries).toEqual([expect.stringContaining('connection was lost')])
    await session.leave()
    expect(await session.ended).toMatchObject({ ok: true })
  })

  it('ends with the words of a kick, and is over for whoever waits', async () => {
    const { session } = await createSession('ann')
    await session.ready()
    const mod = await connect('mod', { groups: ['moderator'] })
    await mod.welcomed
    expect(await mod.command('/kick ann be nice')).toMatchObject({ ok: true })
    expect(await session.ended).toMatchObject({ ok: false, text: expect.stringContaining('be nice') })
    expect(await session.ready()).toBeUndefined()
    await mod.disconnect()
  })
})
