import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Presence } from '../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { knock } from '../../support/http/knock.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { readyNode } from '../../support/realtime/ready-node.ts'
import { type RoutedNode, startRoutedNode } from '../../support/realtime/routed-node.ts'

describe('upgrades that cannot be passed on', () => {
  let reads = 0
  let presence: Presence
  let node: RoutedNode
  beforeEach(async () => {
    const memory = createMemoryPresence({ clock: systemClock })
    reads = 0
    presence = {
      ...memory,
      listNodes: () => {
        reads += 1
        return memory.listNodes()
      },
    }
    node = await startRoutedNode({ nodeId: 'a', world: 'default', presence, store: createMemoryStore() })
  })
  afterEach(() => node.close())

  it('cost the registry one read per 250 ms, for any number of unserved worlds and dead nodes', async () => {
    const killed = presence.openNode('killed')
    killed.describe(readyNode('arena', { internalUrl: `http://127.0.0.1:${await findFreePort()}` }))
    await killed.renew()
    const startedMs = performance.now()
    for (let asked = 0; asked < 20; asked += 1) {
      const [world, status] = asked % 2 === 0 ? ['nowhere', 404] : ['arena', 503]
      expect((await knock(`${node.url}/realtime?world=${world}`)).status).toBe(status)
    }
    expect(reads).toBeLessThanOrEqual(1 + (performance.now() - startedMs) / 250)
  })

  it.each([
    ['a POST', 'POST', 'websocket'],
    ['one that offers another protocol too', 'GET', 'h2c, websocket'],
  ])('get 400 when they are not a WebSocket handshake: %s', async (_what, method, upgrade) => {
    const arena = presence.openNode('b')
    arena.describe(readyNode('arena', { internalUrl: node.url }))
    await arena.renew()
    const asked = request(`${node.url}/realtime?world=arena`, {
      method,
      headers: { Connection: 'Upgrade', Upgrade: upgrade, 'Content-Length': 0 },
    })
    asked.end()
    const [response] = await once(asked, 'response')
    response.resume()
    expect(response.statusCode).toBe(400)
  })

  it('are counted by status', async () => {
    for (const path of ['/elsewhere', '/realtime?world=%', '/realtime?world=nowhere']) await knock(node.url + path)
    expect(node.refused).toEqual([404, 400, 404])
  })
})
