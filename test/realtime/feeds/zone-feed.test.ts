import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { operator } from '../../support/accounts/account-fixture.ts'
import type { FeedClient } from '../../support/feeds/feed-client.ts'
import { type FeedNode, startFeedNode } from '../../support/feeds/feed-node.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createStoredZones } from '../../support/zones/stored-zones.ts'

type Told = { readonly edits: readonly { x: number; y: number; z: number; type: string }[]; readonly by: string }

/** The blocks of a client after it has applied every message in order. */
const blocksAfter = (messages: readonly Told[]): Map<string, string> =>
  new Map(messages.flatMap(({ edits }) => edits.map(({ x, y, z, type }) => [`${x} ${y} ${z}`, type] as const)))

const toldTo = (feed: FeedClient): Told[] => feed.all('blocks') as unknown as Told[]

describe('the feed of a zone', () => {
  let node: FeedNode
  beforeEach(async () => {
    node = await startFeedNode()
  })
  afterEach(() => node.close())

  it('begins with the record, and sends each change of it once', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    expect(feed.received).toEqual([{ type: 'zone', zone: node.zone, seq: expect.any(Number) }])
    let zone = node.zone
    const changes = [
      { name: 'Village' },
      { yMin: 61 },
      { chunks: [{ cx: 0, cz: 0 }] },
      { enabled: true },
      { shortcutBarPages: [['stone', null]] },
    ]
    for (const [index, change] of changes.entries()) {
      zone = await node.stored.put({ ...zone, ...change, updatedAt: `2026-11-21T00:00:0${index}.000Z` })
      expect(await feed.next('zone')).toMatchObject({ zone, seq: feed.lastSeq() })
    }
    await node.stored.put({ ...zone, updatedAt: '2026-11-22T00:00:00.000Z' })
    await node.stored.put({ ...zone, name: 'Last' })
    expect(await feed.next('zone')).toMatchObject({ zone: { name: 'Last' } })
    expect(feed.all('zone')).toHaveLength(2 + changes.length)
  })

  it('marks the zone when the account of its owner is deleted, until it has another', async () => {
    const ann = await node.addEditor('ann')
    const feed = await node.openFeed(ann)
    expect(feed.received[0]).not.toHaveProperty('zone.ownerGone')
    await node.accounts.removeAccount(operator, 'owner@example.com')
    expect(await feed.next('zone')).toMatchObject({ zone: { id: node.zone.id, ownerGone: true } })
    const late = await node.openFeed(ann)
    expect(late.received[0]).toMatchObject({ zone: { ownerGone: true } })
    await node.stored.put({ ...node.zone, owner: ann.playerId })
    const next = await feed.next('zone')
    expect(next).toMatchObject({ zone: { owner: ann.playerId } })
    expect(next).not.toHaveProperty('zone.ownerGone')
  })

  it('notices a change at the next check when the event was lost', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    await node.feedZones.check()
    await createStoredZones(node.store).put({ ...node.zone, name: 'Quiet' })
    await node.feedZones.check()
    expect(await feed.next('zone')).toMatchObject({ zone: { name: 'Quiet' } })
  })

  it('reports that the zone was deleted, and ends', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    await node.stored.remove(node.zone)
    expect(await feed.closed()).toEqual({ code: 1000, reason: 'zone-deleted' })
    expect(feed.received.at(-1)).toEqual({ type: 'deleted', seq: expect.any(Number) })
    expect((await node.knock({ token: await node.signIn(await node.addEditor('bob')) })).status).toBe(404)
  })

  it('sends two editors and a player in the game the same edits in the same order', async () => {
    const { client: player, account } = await node.join('pat')
    await waitFor(() => player.received.filter((message) => message.case === 'chunk').length > 20)
    const feeds = [await node.openFeed(await node.addEditor('ann')), await node.openFeed(await node.addEditor('bob'))]
    const at = { x: 2, y: 66, z: 2 }
    for (let round = 0; round < 30; round += 1) {
      for (const [index, feed] of feeds.entries())
        feed.edit(round, [[at.x, at.y, at.z, ['stone', 'grass', 'water'][(round + index) % 3] ?? 'stone']])
      player.send({
        $case: 'editBlocks',
        value: { seq: round, edits: [{ x: 3, y: 66, z: 3, type: round % 2 === 0 ? 'stone' : 'air' }] },
      })
    }
    for (const feed of feeds) expect(await feed.result(29)).toMatchObject({ ok: true })
    await waitFor(() => player.received.filter((message) => message.case === 'editResult').length === 30)

    const [first = [], second] = feeds.map(toldTo)
    expect(second).toEqual(first)
    const ofGame = player.received
      .filter((message) => message.case === 'blocksChanged')
      .map(({ value }) => value as unknown as Told)
    const flat = (told: readonly Told[]) =>
      told.flatMap(({ by, edits }) => edits.map(({ x, y, z, type }) => ({ by, x, y, z, type })))
    expect(flat(ofGame)).toEqual(flat(first))
    expect(first.map(({ by }) => by)).toContain(account.playerId)
    expect(blocksAfter(first).get('2 66 2')).toBe(node.world.registry.typeOf(node.world.loaded.blockAt(at.x, at.y, at.z) ?? 0).id)
  })

  it('sends the previous type of each changed block', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    for (const [ref, type] of ['stone', 'grass', 'air'].entries()) {
      feed.edit(ref, [[2, 70, 2, type]])
      await feed.result(ref)
    }
    await waitFor(() => feed.all('blocks').length === 3)
    const sides = feed
      .all('blocks')
      .flatMap(({ edits }) => (edits as { was: string; type: string }[]).map(({ was, type }) => [was, type]))
    expect(sides).toEqual([
      ['air', 'stone'],
      ['stone', 'grass'],
      ['grass', 'air'],
    ])
  })

  it('numbers broadcast messages one by one', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    for (let ref = 0; ref < 10; ref += 1) {
      feed.edit(ref, [[ref, 70, 0]])
      await feed.result(ref)
    }
    await node.stored.put({ ...node.zone, name: 'Village' })
    await feed.next('zone')
    const seqs = feed.received.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []))
    const [start = 0] = seqs
    expect(seqs).toEqual(Array.from({ length: 12 }, (_, i) => start + i))
  })

  it('sends all missed messages after a reconnection, once and in order', async () => {
    const [ann, bob] = [await node.addEditor('ann'), await node.addEditor('bob')]
    const feed = await node.openFeed(ann)
    const other = await node.openFeed(bob)
    const since = feed.lastSeq()
    feed.terminate()
    for (let ref = 0; ref < 5; ref += 1) {
      other.edit(ref, [[ref, 70, 0]])
      await other.result(ref)
    }
    const again = await node.openFeed(ann)
    expect(again.lastSeq()).toBe(since + 5)
    again.send({ type: 'resume', since })
    await waitFor(() => again.all('blocks').length === 5)
    expect(again.all('blocks')).toEqual(other.all('blocks'))
    expect(again.all('zone')).toHaveLength(1)
  })

  it('keeps missed messages for a while when every client was cut off', async () => {
    const ann = await node.addEditor('ann')
    const feed = await node.openFeed(ann)
    const since = feed.lastSeq()
    feed.terminate()
    await waitFor(() => node.loop.feeds.count() === 0)
    await node.stored.put({ ...node.zone, name: 'Meanwhile' })
    const again = await node.openFeed(ann)
    again.send({ type: 'resume', since })
    expect(await again.next('zone')).toMatchObject({ zone: { name: 'Meanwhile' }, seq: since + 1 })
  })

  it.each([
    ['a message that was never sent', (last: number) => last + 1],
    ['a message from before its memory', (last: number) => last - 1],
    ['the feed of an earlier process', () => 17],
  ])('sends the zone again to a client that resumes from %s', async (_name, sinceOf) => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    const last = feed.lastSeq()
    feed.send({ type: 'resume', since: sinceOf(last) })
    expect(await feed.next('zone')).toEqual({ type: 'zone', zone: node.zone, seq: last, reset: true })
  })

  it('sends players inside the zone, enabled or not, and no others', async () => {
    const { client, account } = await node.join('pat')
    await client.next('chunk')
    const session = node.loop.live.listPlayers()[0]
    const goTo = (x: number, z: number, y = 64) => node.loop.live.teleport(account.playerId, { x, y, z, yaw: 90, pitch: 0 })
    goTo(40, 8)
    await client.next('correction')
    const feed = await node.openFeed(await node.addEditor('ann'))
    goTo(31.5, 8)
    expect(await feed.next('playerEntered')).toMatchObject({
      playerId: account.playerId,
      displayName: session?.displayName,
      position: { x: 31.5, y: 64, z: 8, yaw: 90, pitch: 0 },
      seq: feed.lastSeq(),
    })
    goTo(8, 8)
    expect(await feed.next('playerMoved')).toMatchObject({ playerId: account.playerId, position: { x: 8, z: 8 } })

    const late = await node.openFeed(await node.addEditor('bob'))
    const there = await late.next('playerEntered')
    expect(there).toMatchObject({ playerId: account.playerId, position: { x: 8, z: 8 } })
    expect(there).not.toHaveProperty('seq')

    goTo(8, 8, 81)
    expect(await feed.next('playerLeft')).toMatchObject({ playerId: account.playerId })
    await node.stored.put({ ...node.zone, yMax: 90 })
    expect(await feed.next('playerEntered')).toMatchObject({ position: { y: 81 } })
    client.socket.close()
  })

  it('answers an invalid message with an error and stays open', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    const garbage: readonly (readonly [string | Uint8Array, string])[] = [
      ['no JSON', 'invalid-json'],
      ['{"type":"dance"}', 'unknown-message'],
      ['{"type":"edit","ref":1}', 'invalid-message'],
      [Buffer.from('{"type":"resume","since":0}'), 'binary-frame'],
      [' '.repeat(1_048_577), 'message-too-large'],
    ]
    for (const [frame, code] of garbage) {
      feed.sendRaw(frame)
      expect(await feed.next('error')).toMatchObject({ code, message: expect.any(String) })
    }
    feed.edit(1, [[0, 64, 0]])
    expect(await feed.result(1)).toMatchObject({ ok: true })
  })

  it('closes a feed that sends too much with 4029, and keeps the others', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    const other = await node.openFeed(await node.addEditor('bob'))
    for (let i = 0; i < 200; i += 1) feed.sendRaw('{}')
    expect(await feed.closed()).toEqual({ code: 4029, reason: 'too-many-messages' })
    other.edit(1, [[0, 64, 0]])
    expect(await other.result(1)).toMatchObject({ ok: true })
  })

  it('closes a feed that exceeds the largest message with 1009', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.sendRaw('x'.repeat(3 * 2 ** 20))
    expect((await feed.closed()).code).toBe(1009)
  })

  it('sends fifty feeds the same messages, each once', async () => {
    const ann = await node.addEditor('ann')
    const token = await node.signIn(ann)
    const feeds = await Promise.all(Array.from({ length: 50 }, () => node.openFeed(token)))
    const [first] = feeds
    for (let ref = 0; ref < 3; ref += 1) first?.edit(ref, [[ref, 70, 0]])
    await waitFor(() => feeds.every((feed) => feed.all('blocks').flatMap(({ edits }) => edits).length === 3))
    for (const feed of feeds) expect(feed.all('blocks')).toEqual(first?.all('blocks'))
    await waitFor(() => first?.all('result').length === 3)
    expect(feeds.map((feed) => feed.all('result').length)).toEqual([3, ...Array(49).fill(0)])
  })

  it('ends with 1001 when the node stops', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    await node.server.close({ graceMs: 100 })
    expect(await feed.closed()).toEqual({ code: 1001, reason: 'going-away' })
  })
})
