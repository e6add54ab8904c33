import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { openWorldFeed, type WorldFeed } from '../../../sdk/admin/feeds/world-feed.ts'
import { type SignIn, signIn } from '../../../sdk/sign-in/sign-in.ts'
import { type FeedClient, openFeedClient } from '../../support/feeds/feed-client.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createBuilder } from '../support/builder.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const wholeWorld = { minX: -30_000_000, minZ: -30_000_000, maxX: 29_999_999, maxZ: 29_999_999 }

describeOwnRedis('the feed of a world, by the address of the HTTP process', () => {
  const stage = createStage()
  const opened: { close(): void }[] = []
  const clients: FeedClient[] = []
  let redis: RedisServer
  let http: Server
  let realtime: Server
  let startRealtime: () => Promise<Server>
  let token: string
  let boss: SignIn
  let builder: ReturnType<typeof createBuilder>

  beforeAll(async () => {
    redis = await startRedis()
    const pair = await stage.startPair(await stage.createDataDir(), redis.url)
    http = pair.http
    realtime = pair.realtime
    startRealtime = pair.startRealtime
    token = await stage.claim(http)
    boss = await signIn({ url: http.url, email: administrator.email, password: administrator.password })
    opened.push(boss)
    builder = createBuilder(await stage.enter(http.url, await stage.signIn(http.url, 'walker@example.com')))
    await builder.look(builder.places)
  }, 180_000)
  afterAll(async () => {
    for (const client of clients) client.terminate()
    for (const one of opened) one.close()
    await stage.close()
    await redis?.stop()
  })

  const addressOf = (world: string): string => `${http.url.replace('http', 'ws')}/api/admin/ws/worlds/${world}`
  const open = async (view = wholeWorld): Promise<WorldFeed> => {
    const feed = await openWorldFeed(boss, 'default', { WebSocket, view })
    opened.push(feed)
    return feed
  }

  it('names tiles that an edit changed, also during a lost connection', async () => {
    const feed = await open()
    const changed = (wanted: (message: { since?: number; tiles: readonly { zoom: number }[] }) => boolean) =>
      new Promise<void>((resolve) => {
        const end = feed.on('tiles', (message) => {
          if (!wanted(message)) return
          end()
          resolve()
        })
      })
    const edited = changed(({ tiles }) => [0, 1, 2, 3, 4, 5].every((zoom) => tiles.some((tile) => tile.zoom === zoom)))
    const [place] = builder.places.map((at) => ({ ...at, type: 'stone' }))
    if (place === undefined) throw new Error('the builder has no place')
    expect(await builder.edit([place])).toMatchObject({ ok: true })
    await edited
    const answered = changed(({ since }) => since !== undefined)
    feed.drop()
    expect(await builder.edit([{ ...place, type: 'air' }])).toMatchObject({ ok: true })
    await answered
    feed.close()
  })

  it('sends events to 200 feeds at once', async () => {
    const all: FeedClient[] = []
    // As many as a node checks at the same time.
    while (all.length < 200)
      all.push(...(await Promise.all(Array.from({ length: 50 }, () => openFeedClient(addressOf('default'), { token })))))
    clients.push(...all)
    for (const client of all) client.send({ type: 'view', ...wholeWorld })
    await Promise.all(all.map((client) => client.next('players')))
    for (const client of all) client.terminate()
  }, 180_000)

  it('reconnects by itself after the node was killed and restarted, and resets all tiles', async () => {
    const feed = await open()
    const reset = new Promise<void>((resolve) => {
      feed.on('tiles', (message) => message.reset && resolve())
    })
    realtime.signal('SIGKILL')
    await realtime.ended
    await waitFor(() => feed.state().name !== 'live')
    realtime = await startRealtime()
    await waitFor(() => feed.state().name === 'live')
    await reset
    feed.close()
  }, 180_000)
})
