import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()

describeOwnRedis('an HTTP process and a real-time process on one Redis', () => {
  let redis: RedisServer
  let dataDir: string
  let http: Server
  let realtime: Server
  let startRealtime: () => Promise<Server>
  let boss: string
  let names = 0

  beforeAll(async () => {
    redis = await startRedis()
    dataDir = await stage.createDataDir()
    const pair = await stage.startPair(dataDir, redis.url)
    http = pair.http
    realtime = pair.realtime
    startRealtime = pair.startRealtime
    boss = await stage.claim(http)
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  /** A new player in the game, through the HTTP process. */
  const joinAnew = async () => {
    names += 1
    const email = `player-${names}@example.com`
    const token = await stage.signIn(http.url, email)
    return { email, token, client: await stage.join(http.url, token) }
  }
  const changeGroups = (email: string, groups: readonly string[]) =>
    ask(http.url, `PUT /api/admin/users/${email}`, { token: boss, body: { groups } })
  const remove = (email: string) => ask(http.url, `DELETE /api/admin/users/${email}`, { token: boss })
  const logOut = (token: string) => ask(http.url, 'POST /auth/logout', { token })
  const within = async (client: PlayerLink, code: number): Promise<void> => {
    await waitFor(() => !client.isOpen())
    expect(await client.closed()).toMatchObject({ code })
  }
  const seesGroups = async (client: PlayerLink, groups: readonly string[]): Promise<void> => {
    await waitFor(() => client.count('permissionsChanged') > 0)
    expect((await client.next('permissionsChanged')).groups).toEqual(groups)
  }

  it('moves the spawn of the running world when the HTTP process undoes /setspawn', async () => {
    const { session } = await stage.enter(http.url, boss)
    const spawnNow = async () => (await session.command('/spawn')).text
    const [first, second] = ['/setspawn 8 64 8', '/setspawn 40 64 -24']
    for (const line of [first, second]) expect(await session.command(line)).toMatchObject({ ok: true })
    expect(await spawnNow()).toContain('40 64 -24')
    const { body } = await ask(http.url, 'GET /api/admin/audit?target=default', { token: boss })
    const entry = (body.entries as { id: string; action: string }[]).find(({ action }) => action === 'world.spawn')
    expect((await ask(http.url, `POST /api/admin/audit/${entry?.id}/undo`, { token: boss })).status).toBe(200)
    await waitFor(async () => (await spawnNow()).includes('8 64 8'))
    await session.close()
  })

  it('routes players into the game through the HTTP process, with one claim for the two', async () => {
    const { client } = await joinAnew()
    expect(client.isOpen()).toBe(true)
    expect(realtime.stdout()).not.toContain('claim#')
    expect((await ask(http.url, 'GET /readyz')).body.ready).toBe(true)
  })

  it('ends the live session at once when its sign-in is logged out over HTTP', async () => {
    const { token, client } = await joinAnew()
    expect((await logOut(token)).status).toBe(204)
    await within(client, 4003)
  })

  it('changes the permissions of a live session when its groups are changed over HTTP', async () => {
    const { email, client } = await joinAnew()
    expect((await changeGroups(email, ['player', 'moderator'])).status).toBe(200)
    await seesGroups(client, ['player', 'moderator'])
  })

  it('ends the live session of an account that is deleted over HTTP', async () => {
    const { email, client } = await joinAnew()
    expect((await remove(email)).status).toBe(204)
    await within(client, 4003)
  })

  it('answers upgrades with 503 while the real-time node is dead, and admits players afterwards', async () => {
    const { client } = await joinAnew()
    const walker = stage.play(http.url, { email: 'walker@example.com' })
    await walker.shows('Welcome')
    realtime.signal('SIGKILL')
    await realtime.ended
    await waitFor(() => !client.isOpen())

    const refused = await new Promise<{ status: number | undefined; retryAfter: string | undefined }>((resolve, reject) => {
      const socket = new WebSocket(`${http.url.replace('http', 'ws')}/realtime`)
      socket.on('unexpected-response', (_request, response) => {
        resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] })
        socket.terminate()
      })
      socket.on('open', () => reject(new Error('the upgrade was taken')))
      socket.on('error', () => undefined)
    })
    expect(refused).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    expect((await ask(http.url, 'GET /auth/me', { token: boss })).status).toBe(200)

    realtime = await startRealtime()
    expect((await joinAnew()).client.isOpen()).toBe(true)
    // It retries after half a second, then after twice the delay each time.
    await walker.shows('* Back in the game.', 150_000)
    walker.endInput('/who\n')
    expect(await walker.ended).toBe(0)
  }, 180_000)

  it('stops the HTTP process with 0 on SIGTERM while it routes players', async () => {
    const { client } = await joinAnew()
    http.signal('SIGTERM')
    expect(await http.ended).toBe(0)
    expect(http.stdout()).not.toContain('stopping took too long')
    await client.closed()
  })
})
