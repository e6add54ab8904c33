import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type FeedNode, startFeedNode } from '../../../support/feeds/feed-node.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

describe('edits through a feed', () => {
  let node: FeedNode
  beforeEach(async () => {
    node = await startFeedNode()
  })
  afterEach(() => node.close())

  it('answers ok once the blocks are durable, and sends them to the feed first', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.edit(7, [
      [0, 64, 0],
      [31, 80, 15, 'water'],
      [5, 63, 5, 'air'],
    ])
    expect(await feed.result(7)).toEqual({ type: 'result', ref: 7, ok: true, applied: 3, rejected: [] })
    const told = feed.received.findIndex(({ type }) => type === 'blocks')
    expect(told).toBeLessThan(feed.received.findIndex(({ type }) => type === 'result'))
    expect(feed.received[told]).toMatchObject({
      edits: [
        { x: 0, y: 64, z: 0, type: 'stone' },
        { x: 31, y: 80, z: 15, type: 'water' },
        { x: 5, y: 63, z: 5, type: 'air' },
      ],
    })
    expect(node.world.loaded.blockAt(0, 64, 0)).toBe(node.world.registry.find('stone')?.index)
  })

  it('changes nothing when one block is invalid, and names each with its reason', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.edit(1, [
      [0, 64, 0],
      [0, 59, 0],
      [0, 81, 0],
      [-1, 64, 0],
      [32, 64, 0],
      [0, 64, 16],
      [1e9, 64, 0],
      // Far out, where the key of a column equals that of (0, 0).
      [-16, 64, 2 ** 26],
      [-16 * 1024, 64, 2 ** 36],
      [1, 64, 1, 'marzipan'],
      [2, 64, 2, 'unknown'],
      [0, 64, 0, 'grass'],
    ])
    const outside = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => ({ index, reason: 'outside-zone' }))
    expect(await feed.result(1)).toEqual({
      type: 'result',
      ref: 1,
      ok: false,
      applied: 0,
      rejected: [
        ...outside,
        { index: 9, reason: 'unknown-block' },
        { index: 10, reason: 'unknown-block' },
        { index: 11, reason: 'duplicate' },
      ],
    })
    expect(feed.all('blocks')).toEqual([])
    expect((await node.audit.listEntries({ limit: 10 })).entries).toEqual([])
  })

  it('applies the valid blocks of a partial edit', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.edit(
      1,
      [
        [0, 64, 0],
        [0, 1, 0],
        [3, 64, 3],
      ],
      { partial: true },
    )
    const rejected = [{ index: 1, reason: 'outside-zone' }]
    expect(await feed.result(1)).toEqual({ type: 'result', ref: 1, ok: true, applied: 2, rejected })
    feed.edit(2, [[0, 1, 0]], { partial: true })
    expect(await feed.result(2)).toMatchObject({ ok: false, applied: 0, rejected: [{ index: 0, reason: 'outside-zone' }] })
  })

  it('answers an error to more than 4,096 blocks and stays open', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    const many = Array.from({ length: 4097 }, (_, i) => [i % 32, 60 + Math.floor(i / 512), Math.floor(i / 32) % 16] as const)
    feed.edit(3, many)
    expect(await feed.next('error')).toMatchObject({ code: 'too-many-edits', ref: 3 })
    feed.edit(4, many.slice(1))
    expect(await feed.result(4)).toMatchObject({ ok: true, applied: 4096 })
  })

  it('keeps the order of edits that are sent at once, and queues them instead of refusing', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    const layer = (type: string) =>
      Array.from({ length: 4096 }, (_, i) => [i % 32, 64 + Math.floor(i / 512), Math.floor(i / 32) % 16, type] as const)
    for (const [ref, type] of ['stone', 'grass', 'water', 'stone', 'grass'].entries()) feed.edit(ref, layer(type))
    for (const ref of [0, 1, 2, 3, 4]) expect(await feed.result(ref)).toMatchObject({ ok: true, applied: 4096 })
    expect(node.world.loaded.blockAt(31, 71, 15)).toBe(node.world.registry.find('grass')?.index)
  })

  it('refuses a reader and an editor who lost the permission, and names the permission', async () => {
    const reader = await node.openFeed(await node.addEditor('rea', ['reader']))
    reader.edit(1, [[0, 64, 0]])
    expect(await reader.result(1)).toMatchObject({ ok: false, reason: 'missing-permission: admin.instances.write' })
    const account = await node.addEditor('ann')
    const feed = await node.openFeed(account)
    feed.edit(1, [[0, 64, 0]])
    expect(await feed.result(1)).toMatchObject({ ok: true })
    node.loop.accounts.accountRead(account.playerId, { ...account, groups: ['reader'] })
    feed.edit(2, [[0, 65, 0]])
    expect(await feed.result(2)).toMatchObject({ ok: false, reason: 'missing-permission: admin.instances.write' })
  })

  it('audits each edit with the account, the zone, the number of blocks and their bounding box', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.edit(1, [
      [4, 70, 2],
      [20, 61, 9],
    ])
    await feed.result(1)
    const { entries } = await node.audit.listEntries({ limit: 10 })
    expect(entries).toEqual([
      expect.objectContaining({
        actor: 'ann@example.com',
        action: 'zone.edit',
        target: node.zone.id,
        via: 'feed',
        before: null,
        after: { blocks: 2, min: { x: 4, y: 61, z: 2 }, max: { x: 20, y: 70, z: 9 } },
      }),
    ])
  })

  it('writes no audit entry for an edit that changes nothing, and answers it as any other', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.edit(1, [[4, 70, 2]])
    await feed.result(1)
    feed.edit(2, [[4, 70, 2]])
    expect(await feed.result(2)).toEqual({ type: 'result', ref: 2, ok: true, applied: 1, rejected: [] })
    expect((await node.audit.listEntries({ limit: 10 })).entries).toHaveLength(1)
  })

  it('audits an edit that changes a block only because of the edit before it', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.edit(1, [[4, 80, 2]])
    feed.edit(2, [[4, 80, 2, 'air']])
    expect(await feed.result(2)).toMatchObject({ ok: true, applied: 1 })
    expect(node.world.loaded.blockAt(4, 80, 2)).toBe(node.world.registry.find('air')?.index)
    expect((await node.audit.listEntries({ limit: 10 })).entries).toHaveLength(2)
  })

  it('reports blocks that cannot be stored, reverts them, and sends that to the feed', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    feed.edit(1, [[0, 63, 0, 'water']])
    await feed.result(1)
    node.chunks.refuse(() => new Error('the disk is gone'))
    feed.edit(2, [[0, 63, 0, 'stone']])
    expect(await feed.result(2)).toEqual({ type: 'result', ref: 2, ok: false, applied: 0, rejected: [], reason: 'unavailable' })
    await waitFor(() => feed.all('blocks').length === 3)
    expect(feed.all('blocks').map(({ edits, by }) => [edits, by === ''])).toEqual([
      [[{ x: 0, y: 63, z: 0, type: 'water', was: 'grass' }], false],
      [[{ x: 0, y: 63, z: 0, type: 'stone', was: 'water' }], false],
      [[{ x: 0, y: 63, z: 0, type: 'water', was: 'stone' }], true],
    ])
    const { entries } = await node.audit.listEntries({ limit: 10 })
    expect(entries.map(({ action }) => action)).toEqual(['zone.edit-undone', 'zone.edit', 'zone.edit'])
  })

  it('refuses edits of a deleted zone when the event was lost', async () => {
    const feed = await node.openFeed(await node.addEditor('ann'))
    await node.store.delete({ name: 'zones', parse: (value) => value }, node.zone.id)
    feed.edit(1, [[0, 64, 0]])
    expect(await feed.closed()).toEqual({ code: 1000, reason: 'zone-deleted' })
    expect(feed.all('blocks')).toEqual([])
    expect(feed.all('deleted')).toHaveLength(1)
    expect(feed.all('result')).not.toContainEqual(expect.objectContaining({ ok: true }))
  })

  it('opens the feed of a zone in another world, and answers its edits with world-not-here', async () => {
    const elsewhere = await node.stored.put({ ...node.zone, id: '0d4f4c9e-2f55-4d55-8d5c-7f5c0d8a7a11', world: 'elsewhere' })
    const feed = await node.openFeed(await node.addEditor('ann'), elsewhere)
    feed.edit(1, [[0, 64, 0]])
    expect(await feed.result(1)).toMatchObject({ ok: false, reason: 'world-not-here' })
    await node.stored.put({ ...elsewhere, name: 'Renamed' })
    expect(await feed.next('zone')).toMatchObject({ zone: { name: 'Renamed' } })
  })
})

describe('edits of a zone that is being deleted', () => {
  it('are applied or refused until the feed ends, and are published before their ok', async () => {
    const node = await startFeedNode()
    try {
      const editor = await node.addEditor('ann')
      const feed = await node.openFeed(editor)
      const rules = node.permissions.rulesFor(['editor'])
      const actor = { ...editor, verified: true, rules, via: 'http', requestId: 'r' } as const
      const removal = node.zones.removeZone(actor, node.zone.id)
      for (let ref = 0; ref < 40; ref += 1) {
        feed.edit(ref, [[ref % 16, 64 + (ref >> 4), 0]])
        if (ref % 8 === 0) await new Promise(setImmediate)
      }
      await removal
      expect(await feed.closed()).toEqual({ code: 1000, reason: 'zone-deleted' })
      const told = new Set(
        feed.all('blocks').flatMap(({ edits }) => (edits as { x: number; y: number }[]).map(({ x, y }) => x + 16 * (y - 64))),
      )
      for (const { ref, ok, reason } of feed.all('result'))
        if (ok) expect(told).toContain(ref)
        else expect(reason).toBe('zone-deleted')
      expect(feed.received.at(-1)).toMatchObject({ type: 'deleted' })
    } finally {
      await node.close()
    }
  })
})
