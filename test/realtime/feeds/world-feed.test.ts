import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { createFeedFixture, type FeedFixture } from '../../support/feeds/feed-fixture.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'

const minutes = 60_000
const aroundSpawn = { minX: -64, minZ: -64, maxX: 63, maxZ: 63 }
const wholeWorld = { minX: -30_000_000, minZ: -30_000_000, maxX: 29_999_999, maxZ: 29_999_999 }

type Feed = Awaited<ReturnType<FeedFixture['openWorld']>>
type Listed = { readonly playerId: string; readonly position: { readonly x: number } }

const namesOf = (message: Readonly<Record<string, unknown>> | undefined): unknown =>
  (message?.players as { displayName: string }[] | undefined)?.map(({ displayName }) => displayName)
const lastSeq = ({ received }: Feed): number => Number(received.findLast(({ seq }) => seq !== undefined)?.seq)
const tilesOf = (feed: Feed): string[] =>
  feed
    .all('tiles')
    .flatMap(({ tiles }) => (tiles as { zoom: number; tx: number; tz: number }[]).map((t) => `${t.zoom}/${t.tx}/${t.tz}`))

describe('the feed of a world', () => {
  let node: FeedFixture
  let ann: Account
  beforeEach(async () => {
    node = await createFeedFixture()
    ann = await node.addAccount('ann', ['watcher'])
  })
  afterEach(() => node.close())

  const open = async (view: object | null = aroundSpawn, account = ann): Promise<Feed> => {
    const feed = await node.openWorld(await node.signIn(account))
    if (view !== null) feed.send({ type: 'view', ...view })
    await node.pass(50)
    return feed
  }
  /** A player who stands at a fixed position. */
  const join = async (name: string, at: { readonly x: number; readonly z: number } = { x: 1, z: 1 }) => {
    const account = await node.addAccount(name)
    const client = openFakeClient(node)
    const token = await node.signIn(account)
    client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test', resumeToken: undefined } })
    await node.settle()
    const goTo = (x: number, z: number): void => node.loop.live.teleport(account.playerId, { x, y: 64, z, yaw: 0, pitch: 0 })
    goTo(at.x, at.z)
    await node.settle()
    return { account, client, goTo }
  }
  const build = async (x: number, z: number, type = 'stone'): Promise<void> => {
    const index = node.world.registry.find(type)?.index ?? 0
    const column = { cx: Math.floor(x / 16), cz: Math.floor(z / 16) }
    const holder = { distanceTo: () => 0 }
    const loaded = node.world.loaded.load(column, holder)
    await node.settle()
    await loaded
    const changed = node.loop.changeBlocks(() => ({ changes: [{ x, y: 80, z, index }], by: ann.playerId, via: 'rollback' }))
    await node.settle()
    expect(await changed).toBeUndefined()
    node.world.loaded.letGo(column, holder)
  }

  it('begins with the players and zones in view only', async () => {
    await join('near')
    await join('far', { x: 500, z: 1 })
    const feed = await open()
    expect(namesOf(feed.all('players')[0])).toEqual(['near'])
    expect(feed.all('players')[0]).toMatchObject({ gone: [], reset: true, seq: expect.any(Number) })
    expect(feed.all('zones')).toMatchObject([{ zones: [], gone: [], reset: true }])
  })

  it('sends chat, first the last lines, whatever the view', async () => {
    const { account, client } = await join('talker')
    const say = async (text: string): Promise<void> => {
      client.send({ $case: 'chat', value: { text } })
      await node.pass(400)
    }
    const early = await open(null)
    await say('before anyone looked')
    const feed = await open({ minX: 90_000, minZ: 0, maxX: 90_001, maxZ: 1 })
    await say('hello')
    const line = { at: expect.any(String), channel: 'global', from: 'talker', by: account.playerId }
    expect(feed.all('chat')).toEqual([
      { type: 'chat', lines: [{ ...line, text: 'before anyone looked' }], seq: expect.any(Number), reset: true },
      { type: 'chat', lines: [{ ...line, text: 'hello' }], seq: expect.any(Number) },
    ])
    expect(early.received).toEqual([])
    const numbers = feed.received.map(({ seq }) => Number(seq))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  })

  it('names players who enter and leave the world, in view or not', async () => {
    await join('first')
    const feed = await open({ minX: 90_000, minZ: 0, maxX: 90_001, maxZ: 1 })
    await node.pass(400)
    const { account, client } = await join('second')
    await node.pass(400)
    client.send({ $case: 'disconnect', value: {} })
    await node.pass(400)
    const players = [{ playerId: account.playerId, displayName: 'second' }]
    expect(feed.all('joined')).toMatchObject([{ players }])
    expect(feed.all('left')).toMatchObject([{ players }])
  })

  it('sends changed blocks in view with their previous types, only on request', async () => {
    const [quiet, feed] = [await open(), await open({ ...aroundSpawn, edits: true })]
    await node.pass(400)
    expect(feed.all('edits')).toEqual([{ type: 'edits', edits: [], seq: expect.any(Number), reset: true }])
    await build(3, 4)
    await build(3, 4, 'grass')
    await build(500, 4)
    await node.pass(400)
    const edit = { x: 3, y: 80, z: 4, by: ann.playerId, via: 'rollback' }
    const edits = feed.all('edits').flatMap((message) => message.edits)
    expect(edits).toEqual([
      { ...edit, type: 'stone', was: 'air' },
      { ...edit, type: 'grass', was: 'stone' },
    ])
    expect(quiet.all('edits')).toEqual([])
    feed.send({ type: 'view', ...wholeWorld, edits: true })
    await node.pass(400)
    await build(500, 4, 'grass')
    await node.pass(400)
    expect(feed.all('edits').at(-1)).toMatchObject({ edits: [{ x: 500, type: 'grass', was: 'stone' }] })
    const count = feed.all('edits').length
    feed.send({ type: 'view', ...wholeWorld })
    await node.pass(400)
    await build(3, 4, 'stone')
    await node.pass(400)
    expect(feed.all('edits')).toHaveLength(count)
    const numbers = feed.received.map(({ seq }) => Number(seq))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  })

  it('resets changed blocks for a slow client and after more than 4,096 in a round', async () => {
    const feed = await open({ ...aroundSpawn, edits: true })
    await node.pass(400)
    feed.state.bufferedBytes = 1.5 * 2 ** 20
    await build(3, 4)
    await node.pass(400)
    expect(feed.all('edits')).toHaveLength(1)
    feed.state.bufferedBytes = 0
    await node.pass(400)
    expect(feed.all('edits').at(-1)).toMatchObject({ edits: [], reset: true })
    await build(3, 4, 'grass')
    await node.pass(400)
    expect(feed.all('edits').at(-1)).toMatchObject({ edits: [{ type: 'grass', was: 'stone' }] })
    expect(feed.all('edits').at(-1)).not.toHaveProperty('reset')

    const index = node.world.registry.find('stone')?.index ?? 0
    const changes = Array.from({ length: 5000 }, (_, at) => ({
      x: at % 16,
      y: 90 + Math.floor(at / 256),
      z: (at >> 4) % 16,
      index,
    }))
    const holder = { distanceTo: () => 0 }
    const loaded = node.world.loaded.load({ cx: 0, cz: 0 }, holder)
    await node.settle()
    await loaded
    const changed = node.loop.changeBlocks(() => ({ changes, by: ann.playerId, via: 'restore' }))
    await node.pass(400)
    expect(await changed).toBeUndefined()
    const last = feed.all('edits').at(-1)
    expect(last).toMatchObject({ reset: true, edits: { length: 4096 } })
    expect(feed.end.code).toBeUndefined()
  })

  it('sends changed tiles before a line of chat', async () => {
    const { client } = await join('talker')
    const feed = await open()
    client.send({ $case: 'chat', value: { text: 'hello' } })
    await node.pass(400)
    feed.send({ type: 'resume', since: feed.all('chat').at(-1)?.seq })
    await node.pass(400)
    expect(feed.all('tiles').at(-1)).toMatchObject({ tiles: [] })
    expect(feed.all('tiles').at(-1)?.reset).toBeUndefined()
  })

  it('sends nothing until the client sets a view', async () => {
    await join('near')
    const feed = await open(null)
    await node.pass(1000)
    expect(feed.received).toEqual([])
  })

  it('sends players who enter, move in and leave the view, at most five times a second', async () => {
    const { goTo, account } = await join('walker', { x: 500, z: 1 })
    const feed = await open()
    goTo(10, 1)
    await node.pass(1000)
    expect(namesOf(feed.all('players')[1])).toEqual(['walker'])
    for (let step = 0; step < 40; step += 1) {
      goTo(10 + step / 4, 1)
      await node.pass(50)
    }
    goTo(500, 1)
    await node.pass(1000)
    expect(feed.all('players').at(-1)).toMatchObject({ players: [], gone: [account.playerId] })
    expect(feed.all('players').length).toBeLessThanOrEqual(2 + 5 * 4)
    const seqs = feed.received.flatMap(({ seq }) => (seq === undefined ? [] : [Number(seq)]))
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
    const before = feed.received.length
    await node.pass(2000)
    expect(feed.received.length).toBe(before)
  })

  it('sends the departure of a player from the world', async () => {
    const { account, client } = await join('leaver')
    const feed = await open()
    client.send({ $case: 'disconnect', value: {} })
    await node.pass(500)
    expect(feed.all('players').at(-1)).toMatchObject({ players: [], gone: [account.playerId] })
  })

  it('moves its view on request: adds the players there and removes those out of view', async () => {
    const { account } = await join('here')
    await join('there', { x: 500, z: 1 })
    const feed = await open()
    feed.send({ type: 'view', minX: 400, minZ: -64, maxX: 600, maxZ: 63 })
    await node.pass(500)
    expect(feed.all('players')).toHaveLength(2)
    expect(namesOf(feed.all('players')[1])).toEqual(['there'])
    expect(feed.all('players')[1]).toMatchObject({ gone: [account.playerId] })
  })

  it('keeps the players in view correct on each of many feeds', async () => {
    const walkers = await Promise.all(['a', 'b', 'c', 'd'].map((name, at) => join(name, { x: at * 100, z: at * 40 })))
    const views = [
      aroundSpawn,
      wholeWorld,
      { minX: 90, minZ: 0, maxX: 310, maxZ: 130 },
      { minX: 90, minZ: 0, maxX: 310, maxZ: 130 },
    ]
    const feeds = await Promise.all(views.map((view) => open(view)))
    for (let step = 0; step < 30; step += 1) {
      for (const [at, { goTo }] of walkers.entries()) goTo(((at + 1) * step * 37) % 400, (step * 53) % 300)
      await node.pass(100)
    }
    await node.pass(1000)
    const spots = node.loop.live.listPlayers()
    for (const [at, feed] of feeds.entries()) {
      const known = new Map<string, number>()
      for (const { players, gone } of feed.all('players')) {
        for (const id of gone as string[]) known.delete(id)
        for (const { playerId, position } of players as Listed[]) known.set(playerId, position.x)
      }
      const { minX, maxX, minZ, maxZ } = views[at] ?? wholeWorld
      const inside = spots.filter(({ position: { x, z } }) => x >= minX && x < maxX + 1 && z >= minZ && z < maxZ + 1)
      expect(known).toEqual(new Map(inside.map(({ playerId, position }) => [playerId, position.x])))
    }
  })

  it('names the tiles of every zoom that an edit changed, once stored, and only those in view', async () => {
    const [feed, elsewhere] = [await open(), await open({ minX: 5000, minZ: 0, maxX: 5100, maxZ: 100 })]
    await node.pass(2000)
    const before = feed.all('tiles').length
    await build(3, 3)
    await node.pass(1000)
    expect(feed.all('tiles').slice(before).length).toBeGreaterThan(0)
    expect(tilesOf(feed)).toEqual(expect.arrayContaining(['0/0/0', '1/0/0', '5/0/0']))
    expect(tilesOf(elsewhere)).toEqual([])
  })

  it('names the tile to the south too when its shadows begin at that column', async () => {
    const feed = await open({ minX: 0, minZ: 256, maxX: 255, maxZ: 300 })
    await build(3, 255)
    await node.pass(1000)
    expect(tilesOf(feed)).toContain('0/0/1')
  })

  it('says after a reconnection whether tiles changed', async () => {
    const feed = await open()
    await node.pass(1500)
    const since = lastSeq(feed)
    feed.socket.ended()
    await node.pass(50)
    await build(-3, 3)
    await node.pass(1500)
    const again = await open()
    again.send({ type: 'resume', since })
    await node.pass(500)
    expect(again.all('tiles')).toMatchObject([{ since, tiles: [], reset: true }])
    again.send({ type: 'resume', since: lastSeq(again) })
    await node.pass(500)
    expect(again.all('tiles').at(-1)).toMatchObject({ tiles: [], since: expect.any(Number) })
    expect(again.all('tiles').at(-1)).not.toHaveProperty('reset')
  })

  it.each([
    ['a number from before this node', 5],
    ['one that was never reached', Number.MAX_SAFE_INTEGER],
  ])('reports that any tile may have changed after %s', async (_name, since) => {
    const feed = await open()
    feed.send({ type: 'resume', since })
    await node.pass(500)
    expect(feed.all('tiles')).toMatchObject([{ tiles: [], reset: true, since }])
  })

  it('sends zones in view, their changes and their end, without members and rules', async () => {
    const stored = createStoredZones(node.store, node.events)
    const town = await stored.put(createZone({ chunks: [{ cx: 2, cz: 2 }], members: [ann.playerId] }))
    await stored.put(createZone({ chunks: [{ cx: 50, cz: 50 }] }))
    await node.zoneWatch.check()
    const feed = await open()
    await node.pass(500)
    const told = feed.all('zones').flatMap(({ zones }) => zones as Record<string, unknown>[])
    expect(told.map(({ id }) => id)).toContain(town.id)
    expect(told.find(({ id }) => id === town.id)).toMatchObject({ name: town.name, chunks: town.chunks, world: 'default' })
    expect(JSON.stringify(told)).not.toMatch(/members|rules/)
    await stored.put({ ...town, name: 'Village', updatedAt: '2026-12-01T00:00:00.000Z' })
    await node.zoneWatch.check()
    await node.pass(500)
    expect(feed.all('zones').at(-1)).toMatchObject({ zones: [{ id: town.id, name: 'Village' }], gone: [] })
    await stored.remove(town)
    await node.zoneWatch.check()
    await node.pass(500)
    expect(feed.all('zones').at(-1)).toMatchObject({ zones: [], gone: [town.id] })
  })

  it.each([
    ['inside out', { type: 'view', minX: 5, minZ: 0, maxX: 4, maxZ: 9 }, 'invalid-message'],
    ['without an edge', { type: 'view', minX: 5, minZ: 0, maxX: 9 }, 'invalid-message'],
    ['with a text as an edge', { ...aroundSpawn, type: 'view', minX: 'far' }, 'invalid-message'],
    ['beyond all worlds', { ...aroundSpawn, type: 'view', maxX: 1e300 }, 'invalid-message'],
    ['of another feed', { type: 'edit', ref: 1, edits: [] }, 'unknown-message'],
    ['with a fractional number', { type: 'resume', since: 1.5 }, 'invalid-message'],
    ['of 5,000 bytes', { type: 'renew', token: 'x'.repeat(5000) }, 'message-too-large'],
  ])('answers a message %s with an error, and continues', async (_name, message, code) => {
    const feed = await open()
    feed.send(message)
    await node.settle()
    expect(feed.all('error')).toMatchObject([{ code }])
    expect(feed.end.code).toBeUndefined()
  })

  it('ends with its token, continues with a fresh one, and ends without the permission', async () => {
    const [feed, renewed] = [await open(), await open()]
    node.clock.advance(9 * minutes)
    renewed.send({ type: 'renew', token: await node.signIn(ann) })
    await node.settle()
    node.clock.advance(1 * minutes)
    await node.settle()
    expect(feed.end).toMatchObject({ code: 1008, reason: 'token-expired' })
    expect(renewed.all('renewed')).toHaveLength(1)
    node.permissions.replace({ groups: [{ name: 'watcher', permissions: [] }], defaultGroups: [] })
    await node.settle()
    expect(renewed.end).toMatchObject({ code: 1008, reason: 'missing-permission' })
  })

  it('closes a client that does not read, and no others', async () => {
    const { goTo } = await join('walker')
    const [slow, other] = [await open(), await open()]
    slow.state.bufferedBytes = 5 * 2 ** 20
    goTo(20, 20)
    await node.pass(500)
    expect(slow.end).toMatchObject({ code: 4008 })
    expect(other.end.code).toBeUndefined()
  })

  it('refuses accounts without the permission, and does not reveal which worlds exist', async () => {
    const player = await node.signIn(await node.addAccount('pat'))
    await expect(node.openWorld(player)).rejects.toMatchObject({ slug: 'missing-permission' })
    await expect(node.openWorld(await node.signIn(ann, false))).rejects.toMatchObject({ slug: 'password-sign-in-needed' })
    await expect(node.openWorld(player, 'nowhere')).rejects.toMatchObject({ slug: 'missing-permission' })
    await expect(node.openWorld(await node.signIn(ann), 'nowhere')).rejects.toMatchObject({ slug: 'not-found' })
  })
})
