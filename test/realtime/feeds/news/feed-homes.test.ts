import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createFeedHomes, type FeedHomes } from '../../../../realtime/feeds/news/feed-homes.ts'
import { createNodeDirectory } from '../../../../shared/domain/presence/node-directory.ts'
import type { NodeFacts } from '../../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../../shared/domain/presence/presence-memory.ts'
import type { Zone } from '../../../../shared/domain/zones/zone.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { startFeedNode } from '../../../support/feeds/feed-node.ts'
import { readyNode } from '../../../support/realtime/ready-node.ts'
import { waitFor } from '../../../support/time/wait-for.ts'
import { createZone } from '../../../support/zones/stored-zones.ts'

describe('feeds of worlds that other nodes run', () => {
  let node: Awaited<ReturnType<typeof startFeedNode>>
  let homes: FeedHomes
  let elsewhere: Zone
  const registry = { isAway: false }
  beforeEach(async () => {
    node = await startFeedNode()
    registry.isAway = false
    elsewhere = await node.stored.put(createZone({ world: 'arena', chunks: [{ cx: 0, cz: 0 }] }))
  })
  afterEach(async () => {
    homes.close()
    await node.close()
  })

  const open = () => {
    const presence = createMemoryPresence({ clock: node.clock })
    const listNodes = () =>
      registry.isAway ? Promise.reject(new AppError('unavailable', 'service-unavailable', 'away')) : presence.listNodes()
    const nodes = createNodeDirectory({ presence: { listNodes }, clock: node.clock })
    homes = createFeedHomes({ nodeId: 'own', nodes, feeds: node.loop.feeds, events: node.events, log: node.log })
    return {
      nodes,
      tell: async (nodeId: string, facts: NodeFacts) => {
        const told = presence.openNode(nodeId)
        told.describe(facts)
        await told.renew()
      },
    }
  }
  const openBoth = async () => {
    const editor = await node.addEditor('ann')
    return { own: await node.openFeed(editor), foreign: await node.openFeed(editor, elsewhere) }
  }

  it('end with 1001 when another node takes the world, and only these', async () => {
    const { tell, nodes } = open()
    const { own, foreign } = await openBoth()
    await homes.start(60_000)
    expect(await nodes.list()).toEqual([])
    await tell('other', readyNode('arena'))
    await node.events.publish('world-taken', { world: 'arena', nodeId: 'other', url: 'http://other' })
    expect(await foreign.closed()).toMatchObject({ code: 1001 })
    expect(foreign.received.at(-1)).toMatchObject({ type: 'error', code: 'going-away' })
    own.edit(1, [[0, 60, 0, 'stone']])
    expect(await own.result(1)).toMatchObject({ ok: true })
  })

  it('end when the event was lost', async () => {
    const { tell } = open()
    const { foreign } = await openBoth()
    await tell('other', readyNode('arena'))
    await homes.start(1)
    expect(await foreign.closed()).toMatchObject({ code: 1001 })
  })

  it('stay while no other node is ready to serve them, and while the registry is unavailable', async () => {
    const { tell } = open()
    const { foreign } = await openBoth()
    await tell('own', readyNode('arena'))
    await tell('leaving', readyNode('arena', { state: 'draining' }))
    await tell('third', readyNode('default'))
    await homes.check()
    registry.isAway = true
    await homes.check()
    await waitFor(() => node.loop.feeds.otherWorlds().has('arena'))
    foreign.edit(1, [[0, 60, 0, 'stone']])
    expect(await foreign.result(1)).toMatchObject({ ok: false, reason: 'world-not-here' })
  })
})
