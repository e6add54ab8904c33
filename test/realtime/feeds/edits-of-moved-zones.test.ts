import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createFeedFixture, type FeedFixture } from '../../support/feeds/feed-fixture.ts'

describe('an edit that waits while its zone moves', () => {
  let node: FeedFixture
  beforeEach(async () => {
    node = await createFeedFixture()
  })
  afterEach(() => node.close())

  /** Sends an edit of the block at height 80, waits for its preparation, and moves the zone before the next tick. */
  const editWhileMoving = async (moved: { readonly yMax: number; readonly updatedAt: string }) => {
    const feed = await node.open(await node.signIn(await node.addAccount('ann', ['editor'])))
    await node.settle()
    feed.send({ type: 'edit', ref: 1, edits: [{ x: 0, y: 80, z: 0, type: 'stone' }], partial: true })
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    node.loop.feeds.zoneRead(node.zone.id, { ...node.zone, ...moved })
    await node.settle()
    return feed
  }

  it('changes nothing outside the current zone, and says why', async () => {
    const feed = await editWhileMoving({ yMax: 79, updatedAt: '2026-12-20T00:00:00.000Z' })
    expect(feed.all('result')).toMatchObject([{ ref: 1, ok: false, applied: 0, reason: 'zone-changed' }])
    expect(node.world.loaded.blockAt(0, 80, 0)).not.toBe(node.world.registry.find('stone')?.index)
    expect((await node.audit.listEntries({ limit: 10 })).entries).toContainEqual(
      expect.objectContaining({ action: 'zone.edit-undone', target: node.zone.id }),
    )
  })

  it('is made when the zone still has all of its blocks', async () => {
    const feed = await editWhileMoving({ yMax: 90, updatedAt: '2026-12-20T00:00:00.000Z' })
    expect(feed.all('result')).toMatchObject([{ ref: 1, ok: true, applied: 1 }])
  })

  it('is made when the event contains an older zone than the one that allowed the edit', async () => {
    const feed = await editWhileMoving({ yMax: 79, updatedAt: node.zone.updatedAt })
    expect(feed.all('result')).toMatchObject([{ ref: 1, ok: true, applied: 1 }])
  })
})
