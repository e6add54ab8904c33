import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type FeedClient, knockAtFeed, openFeedClient } from '../../support/feeds/feed-client.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createBuilder } from '../support/builder.ts'
import { createStage, type Server } from '../support/stage.ts'

type Position = { readonly x: number; readonly y: number; readonly z: number }

describeOwnRedis('zone feeds, by the address of the HTTP process', () => {
  const stage = createStage()
  const feeds: FeedClient[] = []
  let redis: RedisServer
  let http: Server
  let realtime: Server
  let startRealtime: () => Promise<Server>
  let boss: string
  let zone: Record<string, unknown>
  let feedUrl: string
  let at: Position

  beforeAll(async () => {
    redis = await startRedis()
    const pair = await stage.startPair(await stage.createDataDir(), redis.url)
    http = pair.http
    realtime = pair.realtime
    startRealtime = pair.startRealtime
    boss = await stage.claim(http)
    const player = createBuilder(await stage.enter(http.url, await stage.signIn(http.url, 'guide@example.com')))
    const [place] = player.places
    at = place ?? { x: 0, y: 0, z: 0 }
    // Its columns exist once a player sees them, and are stored a moment later.
    await player.look(player.places)
    const create = () =>
      ask(http.url, 'POST /api/admin/instances', {
        token: boss,
        body: { name: 'Town', yMin: 0, yMax: 255, chunks: [{ cx: Math.floor(at.x / 16), cz: Math.floor(at.z / 16) }] },
      })
    await waitFor(async () => {
      const answer = await create()
      zone = answer.body
      return answer.status === 201
    })
    feedUrl = `${http.url.replace('http', 'ws')}/api/admin/ws/instances/${zone.id}`
  }, 180_000)
  afterAll(async () => {
    for (const feed of feeds) feed.terminate()
    await stage.close()
    await redis?.stop()
  })

  const open = async (token = boss): Promise<FeedClient> => {
    const feed = await openFeedClient(feedUrl, { token })
    feeds.push(feed)
    await feed.next('zone')
    return feed
  }

  it('passes on the credential, in a header and in a subprotocol, and returns every refusal', async () => {
    const feed = await openFeedClient(feedUrl, {
      protocols: ['gatehouse.feed.v1', `bearer.${boss}`],
      headers: { Origin: http.url },
    })
    feeds.push(feed)
    expect(feed.socket.protocol).toBe('gatehouse.feed.v1')
    expect(await feed.next('zone')).toMatchObject({ zone: { id: zone.id, name: 'Town' } })

    expect(await knockAtFeed(feedUrl, {})).toMatchObject({ status: 401, body: { type: '/problems/not-signed-in' } })
    expect((await knockAtFeed(feedUrl, {})).headers['www-authenticate']).toBe('Bearer')
    const guide = await stage.signIn(http.url, 'guide@example.com')
    expect(await knockAtFeed(feedUrl, { token: guide })).toMatchObject({
      status: 403,
      body: { type: '/problems/missing-permission' },
    })
    expect(await knockAtFeed(`${feedUrl.slice(0, -4)}0000`, { token: boss })).toMatchObject({ status: 404 })
    const foreign = await knockAtFeed(feedUrl, { token: boss, headers: { Origin: 'https://evil.example' } })
    expect(foreign).toMatchObject({ status: 403, body: { type: '/problems/origin-not-allowed' } })
  })

  it('reports that the node is away, with a delay, and recovers', async () => {
    const feed = await open()
    feed.edit(9, [[at.x, at.y, at.z, 'grass']])
    expect(await feed.result(9)).toMatchObject({ ok: true })
    const since = feed.lastSeq()
    realtime.signal('SIGKILL')
    await realtime.ended
    expect([1001, 1006]).toContain((await feed.closed()).code)
    const refusal = await knockAtFeed(feedUrl, { token: boss })
    expect(refusal.status).toBe(503)
    expect(refusal.headers['retry-after']).toMatch(/^\d+$/)

    await ask(http.url, `PUT /api/admin/instances/${zone.id}`, { token: boss, body: { name: 'Ruin' } })
    realtime = await startRealtime()
    const again = await open()
    again.send({ type: 'resume', since })
    expect(await again.next('zone')).toMatchObject({ reset: true, zone: { name: 'Ruin' } })
    again.edit(1, [[at.x, at.y, at.z, 'air']])
    expect(await again.result(1)).toMatchObject({ ok: true })
  }, 180_000)
})
