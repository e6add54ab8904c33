import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { connect } from '../../../sdk/connection/connect.ts'
import type { Game } from '../../../sdk/examples/terminal/walk.ts'
import { walk } from '../../../sdk/examples/terminal/walk.ts'
import { watchWorld } from '../../../sdk/world/watch-world.ts'
import { holdToken } from '../../support/sdk/hold-token.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { reach } from '../support/fake-session.ts'
import { startPlayServer } from '../support/play-server.ts'

let server: Awaited<ReturnType<typeof startPlayServer>>
const games: Game[] = []
beforeEach(async () => {
  server = await startPlayServer()
})
afterEach(async () => {
  for (const { session } of games.splice(0)) await session.close()
  await server.close()
})

const enter = async (name: string, groups?: string[]): Promise<Game> => {
  const token = await server.signIn(await server.addAccount(name, groups))
  const session = await connect(holdToken(server.url, token), { WebSocket })
  const game = { session, world: watchWorld(session) }
  games.push(game)
  return game
}
const signal = new AbortController().signal

describe('a session with a real-time node', () => {
  it('connects, chats, pings, runs commands and leaves', async () => {
    const { session } = await enter('ann')
    expect(session.welcome()).toMatchObject({ displayName: 'ann', groups: ['player'], tickRate: 20 })
    expect(session.welcome().commands.map(({ name }) => name)).toContain('who')
    const heard = session.events('chat')
    await session.chat('hello 世界')
    expect((await heard.next()).value).toMatchObject({ from: 'ann', text: 'hello 世界' })
    expect(await session.command('/who')).toMatchObject({ ok: true, data: { players: [{ displayName: 'ann' }] } })
    expect(await session.command('/tp 1 2 3')).toMatchObject({ ok: false, data: { code: 'missing-permission' } })
    expect((await session.ping()).serverTime).toBeGreaterThan(0)
    await session.close()
    expect(session.state()).toMatchObject({ name: 'ended', reason: 'left' })
    await expect(session.command('/who')).rejects.toMatchObject({ name: 'SessionEndedError', code: 'left' })
  })

  it('lists nearby players and their positions', async () => {
    const [ann, bob] = [await enter('ann'), await enter('bob')]
    await waitFor(() => ann.world.players.list().length === 1)
    const { x, z } = bob.session.position()
    expect(await walk(bob, { towards: 'west', blocks: 1, signal })).toBeUndefined()
    expect(bob.session.position()).toMatchObject({ x: expect.closeTo(x - 1, 5), z })
    await waitFor(() => Math.abs((ann.world.players.list()[0]?.x ?? 0) - (x - 1)) < 0.1)
    await bob.session.close()
    await waitFor(() => ann.world.players.list().length === 0)
  })

  it('applies a Correction', async () => {
    const { session } = await enter('ann')
    const before = session.position()
    const corrected = session.events('correction')
    const seq = session.move({ x: 5_000 })
    expect((await corrected.next()).value).toMatchObject({ seq, reason: 'too-fast' })
    expect(session.position()).toEqual(before)
  })

  it('reports the reason of a refusal', async () => {
    const refused = connect(holdToken(server.url, 'nonsense'), { WebSocket })
    await expect(refused).rejects.toMatchObject({ type: 'invalid-token', message: expect.stringMatching(/token/) })
    const nowhere = connect(holdToken('http://127.0.0.1:9', 'x'), { WebSocket })
    await expect(nowhere).rejects.toMatchObject({ name: 'UnreachableError', failure: 'refused' })
  })

  it('returns to the same place after a lost socket', async () => {
    const game = await enter('ann')
    const { session } = game
    await walk(game, { towards: 'east', blocks: 2, signal })
    const place = session.position()
    await session.ping()
    session.drop()
    expect(session.state()).toMatchObject({ name: 'waiting', text: expect.stringContaining('connection was lost') })
    await reach(session, 'live')
    expect(session.position()).toEqual(place)
  })

  it('ends with the text of a kick', async () => {
    const { session } = await enter('ann')
    const mod = await enter('mod', ['moderator'])
    expect(await mod.session.command('/kick ann be nice')).toMatchObject({ ok: true })
    expect(await reach(session, 'ended')).toMatchObject({ text: expect.stringContaining('be nice') })
  })
})
