import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const [path, reason] = ['/api/admin/sanctions', 'griefing the town']

describeOwnRedis('sanctions on two nodes and an HTTP process, on one Redis', () => {
  let redis: RedisServer
  let variables: Record<string, string>
  let http: Server
  let home: Server
  let arena: Server
  let boss: string
  beforeAll(async () => {
    redis = await startRedis()
    variables = { DATA_DIR: await stage.createDataDir(), REDIS_URL: redis.url }
    const startNode = (world: string) => stage.start({ ...variables, GAME_WORLD_NAME: world }, 'realtime/main.ts')
    home = await startNode('default')
    arena = await startNode('arena')
    http = await stage.start({ ...variables, REALTIME_URL: home.url }, 'infra/http.ts')
    boss = await stage.claim(http)
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const join = async (node: Server, name: string) => {
    const token = await stage.signIn(http.url, `${name}@example.com`)
    return { token, client: await stage.join(node.url, token) }
  }
  const impose = async (body: object) => {
    const made = await ask(http.url, `POST ${path}`, { token: boss, body: { reason, ...body } })
    expect(made.status).toBe(201)
    return made.body as { id: string }
  }
  const expectBanned = async (client: PlayerLink) => {
    expect(await client.next('kick')).toMatchObject({ code: 'banned', reason })
    expect(await client.closed()).toMatchObject({ code: 4003 })
  }

  it('end a session on another node, whichever process receives the request', async () => {
    const [ann, ben] = [await join(arena, 'ann'), await join(arena, 'ben')]
    await impose({ kind: 'ban', email: 'ann@example.com' })
    await expectBanned(ann.client)
    const chief = await stage.join(home.url, boss)
    chief.command(`/ban ben@example.com 1h ${reason}`)
    expect(await chief.next('commandResult')).toMatchObject({ ok: true })
    await expectBanned(ben.client)
    for (const email of ['ann@example.com', 'ben@example.com']) {
      const signIn = () => ask(http.url, 'POST /auth/login', { body: { email, password: '' } })
      // The event of a ban on a node may reach the HTTP process later than the other node.
      await waitFor(async () => (await signIn()).status === 403)
      const refused = await signIn()
      expect(refused).toMatchObject({ status: 403, body: { type: '/problems/account-banned', reason } })
    }
    expect((await ask(http.url, 'GET /auth/me', { token: ann.token })).status).toBe(401)
    chief.command('/unban ben@example.com')
    expect(await chief.next('commandResult')).toMatchObject({ ok: true })
    await waitFor(
      async () => (await ask(http.url, 'POST /auth/login', { body: { email: 'ben@example.com', password: '' } })).status === 200,
    )
  })

  it('survive a kill -9 just after the answer', async () => {
    const { client } = await join(arena, 'dan')
    await impose({ kind: 'ban', email: 'dan@example.com' })
    await http.kill()
    await expectBanned(client)
    http = await stage.start({ ...variables, REALTIME_URL: home.url }, 'infra/http.ts')
    const refused = await ask(http.url, 'POST /auth/login', { body: { email: 'dan@example.com', password: '' } })
    expect(refused).toMatchObject({ status: 403, body: { reason } })
  })

  it('apply at once in their process with Redis away, and elsewhere within ten seconds', async () => {
    const [cid, eve] = [await join(arena, 'cid'), await join(home, 'eve')]
    const chief = await stage.join(home.url, boss)
    await redis.kill()
    for (const name of ['eve', 'cid']) {
      chief.command(`/ban ${name}@example.com 1h ${reason}`)
      expect(await chief.next('commandResult')).toMatchObject({ ok: true })
    }
    await expectBanned(eve.client)
    await expectBanned(cid.client)
    await redis.restart()
    await waitFor(async () => {
      const { status } = await ask(http.url, 'GET /auth/me', { token: cid.token })
      return status === 401 || status === 403
    })
  }, 180_000)
})
