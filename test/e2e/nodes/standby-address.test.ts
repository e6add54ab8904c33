import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createRedisPresence } from '../../../shared/domain/presence/redis/presence-redis.ts'
import { knock } from '../../support/http/knock.ts'
import { connectPatiently } from '../../support/redis/patient-redis.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createStage, type Server } from '../support/stage.ts'

describeOwnRedis('the address of a standby node', () => {
  const stage = createStage()
  let redis: RedisServer
  let http: Server
  let holder: Server
  let standby: Server
  beforeAll(async () => {
    redis = await startRedis()
    const common = { DATA_DIR: await stage.createDataDir(), REDIS_URL: redis.url, PORT: '0', WORLD_STANDBY: 'true' }
    http = await stage.ready(stage.launch('infra/http.ts', [], common))
    holder = await stage.ready(stage.launch('realtime/main.ts', [], common))
    standby = await stage.ready(stage.launch('realtime/main.ts', [], common))
    await waitFor(async () => (await ask(http.url, 'GET /api/realtime/nodes')).text.includes('"state":"ready"'))
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })
  /** The current addresses in the registry. */
  const registeredUrls = async () => {
    const connection = connectPatiently(redis.url)
    const nodes = await createRedisPresence({ redis: connection }).listNodes()
    await connection.close()
    return nodes.map(({ url }) => url)
  }
  const listUrls = async () => {
    const { items } = (await ask(http.url, 'GET /api/realtime/nodes')).body
    return Array.isArray(items) ? items.map(({ url }) => url) : []
  }

  it('is ready, is not listed, and routes players to the node that runs the world', async () => {
    expect((await ask(standby.url, 'GET /readyz')).status).toBe(200)
    await standby.shows(/^Gatehouse stands by at \S+ for world "default", which .+ runs\.$/m)
    expect(standby.stdout()).not.toContain('Gatehouse is ready')
    expect(await listUrls()).toEqual([holder.url])
    const player = await stage.join(standby.url, await stage.signIn(http.url, 'ann@example.com'))
    expect(player.welcome.world).toEqual({ name: 'default' })
    expect((await knock(`${standby.url}/realtime`, { 'x-gatehouse-passed-on': 'default' })).status).toBe(503)
  })

  it('serves players itself after a hand-over, and the old address routes here until it is gone', async () => {
    holder.signal('SIGTERM')
    await waitFor(async () => (await listUrls()).includes(standby.url))
    expect(await holder.ended).toBe(0)
    await standby.shows('Gatehouse is ready')
    // It leaves the registry before it exits; the list is at most 250 ms older.
    expect(await registeredUrls()).toEqual([standby.url])
    await waitFor(async () => !(await listUrls()).includes(holder.url))
    expect(await listUrls()).toEqual([standby.url])
    const player = await stage.join(standby.url, await stage.signIn(http.url, 'bob@example.com'))
    expect(player.welcome.world).toEqual({ name: 'default' })
    expect((await stage.join(http.url, await stage.signIn(http.url, 'cid@example.com'))).welcome.world).toEqual({
      name: 'default',
    })
  })
})
