import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type FeedClient, knockAtFeed, openFeedClient } from '../../support/feeds/feed-client.ts'
import { knock } from '../../support/http/knock.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createBuilder } from '../support/builder.ts'
import { noTimers } from '../support/player-link.ts'
import { createStage, type Server } from '../support/stage.ts'

type Listed = { readonly nodeId: string; readonly world: string; readonly url: string; readonly sessions: number }

// The cluster, because it has all features of a single Redis and more rules.
describeOwnRedis('two nodes, a world each, and the HTTP half on a Redis cluster', () => {
  const stage = createStage()
  const feeds: FeedClient[] = []
  let redis: RedisServer
  let http: Server
  let startNode: () => Promise<Server>
  /** By world. */
  const nodes = new Map<string, Server>()
  let boss: string
  let zoneId: string
  let at: { readonly x: number; readonly y: number; readonly z: number }

  const list = async (): Promise<readonly Listed[]> => {
    const { body } = await ask(http.url, 'GET /api/realtime/nodes')
    return Array.isArray(body.items) ? body.items : []
  }
  /** Joins by any address, without reconnecting after a lost connection. */
  const enter = async (url: string, email: string, world?: string) =>
    stage.enter(url, await stage.signIn(http.url, email), { timers: noTimers, ...(world !== undefined && { world }) })
  const findWorld = async (...asked: Parameters<typeof enter>) => (await enter(...asked)).session.welcome().world?.name
  const feedUrl = (url: string): string => `${url.replace('http', 'ws')}/api/admin/ws/instances/${zoneId}`
  const openFeed = async (url: string): Promise<FeedClient> => {
    const feed = await openFeedClient(feedUrl(url), { token: boss })
    feeds.push(feed)
    await feed.next('zone')
    return feed
  }
  const urlOf = (world: string): string => nodes.get(world)?.url ?? ''
  const everyUrl = (): readonly string[] => [http.url, urlOf('default'), urlOf('arena')]

  beforeAll(async () => {
    redis = await startRedis({ cluster: true })
    const dataDir = await stage.createDataDir()
    const common = { DATA_DIR: dataDir, REDIS_URL: redis.url, PORT: '0', GAME_WORLD_NAME: 'default,arena' }
    startNode = () => stage.ready(stage.launch('realtime/main.ts', [], common))
    http = await stage.ready(stage.launch('infra/http.ts', [], common))
    const started = [await startNode(), await startNode()]
    await waitFor(async () => (await list()).length === 2)
    for (const { world, url } of await list()) {
      const server = started.find((one) => one.url === url)
      if (server !== undefined) nodes.set(world, server)
    }
    boss = await stage.claim(http)
    const guide = createBuilder(await enter(http.url, 'guide@example.com', 'arena'))
    at = guide.places[0] ?? { x: 0, y: 0, z: 0 }
    await guide.look(guide.places)
    await waitFor(async () => {
      const chunks = [{ cx: Math.floor(at.x / 16), cz: Math.floor(at.z / 16) }]
      const body = { name: 'Ring', world: 'arena', yMin: 0, yMax: 255, chunks }
      const answer = await ask(http.url, 'POST /api/admin/instances', { token: boss, body })
      zoneId = String(answer.body.id)
      return answer.status === 201
    })
  }, 180_000)
  afterAll(async () => {
    for (const feed of feeds) feed.terminate()
    await stage.close()
    await redis?.stop()
  })

  it('lists the address, the world and the load of each node publicly', async () => {
    expect([...nodes.keys()].sort()).toEqual(['arena', 'default'])
    await enter(http.url, 'counted@example.com')
    await waitFor(async () => (await list()).every(({ sessions }) => sessions === 1))
    const facts = { nodeId: expect.any(String), sessions: 1, maxSessions: 2000, state: 'ready' }
    expect(await list()).toEqual([
      { ...facts, world: 'arena', url: urlOf('arena') },
      { ...facts, world: 'default', url: urlOf('default') },
    ])
  })

  it('routes players to the requested world from any address, and otherwise to the local one', async () => {
    for (const [index, url] of everyUrl().entries())
      for (const world of ['default', 'arena'])
        expect(await findWorld(url, `walker-${index}-${world}@example.com`, world)).toBe(world)
    expect(await findWorld(http.url, 'plain-0@example.com')).toBe('default')
    expect(await findWorld(urlOf('default'), 'plain-1@example.com')).toBe('default')
    expect(await findWorld(urlOf('arena'), 'plain-2@example.com')).toBe('arena')
  })

  it('serves a feed by any address, edits too, by the node of its world', async () => {
    for (const [index, url] of everyUrl().entries()) {
      const feed = await openFeed(url)
      feed.edit(1, [[at.x, at.y, at.z, index % 2 === 0 ? 'stone' : 'air']])
      expect(await feed.result(1)).toMatchObject({ ok: true, applied: 1 })
    }
    expect(await knockAtFeed(feedUrl(urlOf('default')), {})).toMatchObject({ status: 401 })
  })

  it('returns 404 for an unknown world, and 400 for an invalid name', async () => {
    for (const url of everyUrl()) {
      expect((await knock(`${url}/realtime?world=nowhere`)).status).toBe(404)
      expect((await knock(`${url}/realtime?world=..%2Fdefault`)).status).toBe(400)
      await expect(enter(url, 'lost@example.com', 'nowhere')).rejects.toMatchObject({
        type: '/problems/not-found',
        problem: { status: 404 },
      })
    }
  })

  it('grants nothing for a forged header, neither at a node nor at the HTTP half', async () => {
    const forged = { 'x-gatehouse-passed-on': 'arena' }
    expect((await knock(`${urlOf('default')}/realtime?world=arena`, forged)).status).toBe(503)
    expect(await knockAtFeed(feedUrl(urlOf('default')), { headers: forged })).toMatchObject({ status: 401 })
    expect((await knock(`${http.url}/realtime`, forged)).status).toBe(503)
    expect(await knockAtFeed(feedUrl(http.url), { token: boss, headers: forged })).toMatchObject({ status: 503 })
  })

  it('returns 503 for the list while Redis is away, and lists nodes again within seconds after', async () => {
    await redis.kill()
    const away = await ask(http.url, 'GET /api/realtime/nodes')
    expect(away.status).toBe(503)
    expect(away.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    await redis.restart()
    await waitFor(async () => (await list()).length === 2)
  }, 180_000)

  it('forgets a killed node, serves its feeds without edits, and routes them to the next node', async () => {
    // Redis lost every token in its restart.
    boss = await stage.signIn(http.url, 'boss@example.com', 'the password of the boss')
    const killed = nodes.get('arena')
    killed?.signal('SIGKILL')
    await killed?.ended
    expect(await knock(`${http.url}/realtime?world=arena`)).toMatchObject({ status: 503 })
    await waitFor(async () => (await list()).length === 1)
    expect(await knock(`${http.url}/realtime?world=arena`)).toMatchObject({ status: 503 })
    const feed = await openFeed(http.url)
    feed.edit(1, [[at.x, at.y, at.z, 'air']])
    expect(await feed.result(1)).toMatchObject({ ok: false, reason: 'world-not-here' })

    const heir = await startNode()
    expect(await feed.closed()).toMatchObject({ code: 1001 })
    await waitFor(async () => (await list()).some(({ world, url }) => world === 'arena' && url === heir.url))
    const again = await openFeed(http.url)
    again.edit(2, [[at.x, at.y, at.z, 'air']])
    expect(await again.result(2)).toMatchObject({ ok: true })
    expect(await findWorld(http.url, 'late@example.com', 'arena')).toBe('arena')
  }, 180_000)
})
