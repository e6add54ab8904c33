import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()

describeOwnRedis('two nodes with a world each, and an HTTP process, on one Redis', () => {
  let redis: RedisServer
  let http: Server
  let home: Server
  let arena: Server
  let boss: string
  let chief: PlayerLink
  beforeAll(async () => {
    redis = await startRedis()
    const variables = { DATA_DIR: await stage.createDataDir(), REDIS_URL: redis.url }
    const startNode = (world: string) => stage.start({ ...variables, GAME_WORLD_NAME: world }, 'realtime/main.ts')
    home = await startNode('default')
    arena = await startNode('arena')
    http = await stage.start({ ...variables, REALTIME_URL: home.url }, 'infra/http.ts')
    boss = await stage.claim(http)
    chief = await stage.join(home.url, boss)
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const join = async (node: Server, name: string) => {
    const token = await stage.signIn(http.url, `${name}@example.com`)
    return { token, client: await stage.join(node.url, token) }
  }
  const says = async (client: PlayerLink, text: string) => {
    client.command(text)
    return client.next('commandResult')
  }

  it('deliver chat and /say to every player once', async () => {
    const { client } = await join(arena, 'ann')
    chief.command('/say hear me')
    expect(await client.next('chatMessage')).toMatchObject({ text: 'hear me' })
    client.send({ $case: 'chat', value: { channel: 'trade', text: 'stone for wood' } })
    await waitFor(() => chief.count('chatMessage') === 2 && client.count('chatMessage') === 2)
    expect(await chief.next('chatMessage')).toMatchObject({ text: 'hear me' })
    expect(await chief.next('chatMessage')).toMatchObject({ channel: 'trade', from: 'ann', text: 'stone for wood' })
    client.send({ $case: 'disconnect', value: {} })
    await client.closed()
  })

  it('name each other’s players in /who and /tp, and /kick reaches them', async () => {
    const { client } = await join(arena, 'ben')
    await waitFor(
      async () => String((await says(chief, '/who')).text).includes('\nIn the world arena: ben (ben@example.com)'),
      undefined,
      200,
    )
    expect(await says(chief, '/tp ben')).toMatchObject({ ok: false, text: expect.stringContaining('in the world arena') })
    expect(await says(chief, '/kick ben out with you')).toMatchObject({ ok: true })
    expect(await client.next('kick')).toMatchObject({ code: 'kicked', reason: 'out with you' })
    expect(await client.closed()).toMatchObject({ code: 4003 })
  })

  it('deliver a whisper and its answer to one player only, and an announcement to all', async () => {
    const { client } = await join(arena, 'eve')
    await waitFor(async () => String((await says(chief, '/who')).text).includes('eve'), undefined, 200)
    const heard = (one: PlayerLink) => one.all('notice').map(({ kind, text }) => `${kind}: ${text}`)
    expect(await says(chief, '/msg eve come here')).toMatchObject({ ok: true })
    await waitFor(() => heard(client).some((line) => /^whisper: .+ whispers: come here$/.test(line)))
    expect(await says(client, '/r on my way')).toMatchObject({ ok: true })
    await waitFor(() => heard(chief).includes('whisper: eve whispers: on my way'))
    const told = await ask(http.url, 'POST /api/admin/announcements', { token: boss, body: { text: 'Dinner is ready.' } })
    expect(told.status).toBe(204)
    await waitFor(() => [chief, client].every((one) => heard(one).some((line) => line.includes('Dinner is ready.'))))
    expect(await says(client, `/announce mine`)).toMatchObject({ ok: false })
    client.send({ $case: 'disconnect', value: {} })
    await client.closed()
  })

  it('keep an account on the newest only, and let it return', async () => {
    const { token, client } = await join(home, 'cid')
    // A node that is late with its lease on a busy machine writes its entry late, and counts as the newest. Then the player returns.
    const enterArena = async (): Promise<PlayerLink> => {
      const entered = await stage.join(arena.url, token)
      await waitFor(() => !client.isOpen() || !entered.isOpen())
      return client.isOpen() ? enterArena() : entered
    }
    const there = await enterArena()
    expect(await client.next('kick')).toMatchObject({ code: 'displaced' })
    expect(await client.closed()).toMatchObject({ code: 4001 })
    const back = await stage.join(home.url, token)
    expect(await there.closed()).toMatchObject({ code: 4001 })
    expect(back.isOpen()).toBe(true)
  })

  it('apply groups from a command on one, and a logout over HTTP, on the other', async () => {
    const { token, client } = await join(arena, 'dot')
    expect(await says(chief, '/rbac:setgroup dot@example.com moderator')).toMatchObject({ ok: true })
    await waitFor(() => client.count('permissionsChanged') > 0)
    expect((await client.next('permissionsChanged')).groups).toEqual(['player', 'moderator'])
    expect(await says(client, '/say I may now')).toMatchObject({ ok: true })
    expect((await ask(http.url, 'POST /auth/logout', { token })).status).toBe(204)
    await waitFor(() => !client.isOpen())
    expect(await client.closed()).toMatchObject({ code: 4003 })
  })

  it('switch commands off for a player of the other', async () => {
    const { client } = await join(arena, 'eve')
    expect(await says(chief, '/command:disable who eve@example.com')).toMatchObject({ ok: true })
    await waitFor(() => client.count('permissionsChanged') > 0)
    expect(await says(client, '/who')).toMatchObject({ ok: false, data: { code: 'command-disabled' } })
  })

  it('work alone when Redis is gone, and together again when it is back', async () => {
    const { client } = await join(arena, 'fay')
    await redis.kill()
    chief.send({ $case: 'chat', value: { text: 'anybody here?' } })
    await waitFor(() => chief.all('chatMessage').some(({ text }) => text === 'anybody here?'))
    expect((await says(chief, '/who')).text).toContain('The players on other nodes are unknown at the moment.')
    await redis.restart()
    let turn = 0
    await waitFor(() => {
      turn += 1
      if (turn % 20 === 1) chief.send({ $case: 'chat', value: { text: 'and now?' } })
      return client.all('chatMessage').some(({ text }) => text === 'and now?')
    })
    await waitFor(async () => String((await says(chief, '/who')).text).includes('In the world arena: '), undefined, 200)
  })
})
