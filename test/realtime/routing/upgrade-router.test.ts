import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Presence } from '../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { worldRecords } from '../../../shared/domain/worlds/world.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { type Knocked, knock } from '../../support/http/knock.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { readyNode } from '../../support/realtime/ready-node.ts'
import { type RoutedNode, startRoutedNode } from '../../support/realtime/routed-node.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'

describe('routing of upgrades', () => {
  let presence: Presence
  let store: Store
  const opened: { close(): unknown }[] = []
  const knocked: Knocked[] = []
  beforeEach(() => {
    presence = createMemoryPresence({ clock: systemClock })
    store = createMemoryStore()
  })
  afterEach(async () => {
    for (const { socket } of knocked.splice(0)) socket.terminate()
    for (const { close } of opened.splice(0)) await close()
  })

  const start = async (nodeId: string, world?: string, worldNames?: readonly string[]): Promise<RoutedNode> => {
    const node = await startRoutedNode({
      nodeId,
      presence,
      store,
      ...(world === undefined ? {} : { world }),
      ...(worldNames === undefined ? {} : { worldNames }),
    })
    opened.push(node)
    return node
  }
  const ask = async (url: string, headers?: Readonly<Record<string, string>>): Promise<Knocked> => {
    const answer = await knock(url, headers)
    knocked.push(answer)
    return answer
  }
  /** Adds a node to the registry, with nothing behind its address. */
  const list = async (nodeId: string, world: string, internalUrl: string, fence = 1): Promise<void> => {
    const node = presence.openNode(nodeId)
    node.describe(readyNode(world, { internalUrl, fence }))
    await node.renew()
  }
  const addZone = async (world: string): Promise<string> => {
    const zone = createZone({ world, chunks: [{ cx: 0, cz: 0 }] })
    await createStoredZones(store, createMemoryEventBus({ log: silentLog })).put(zone)
    return zone.id
  }
  const addWorld = async (name: string): Promise<void> => {
    const facts = { seed: 1, createdAt: '2026-01-01T00:00:00.000Z', generator: 'terrain-1', settings: {} }
    await store.put(worldRecords, name, { id: systemIds.uuid(), name, ...facts })
  }
  const feedOf = (zoneId: string): string => `/api/admin/ws/instances/${zoneId}`
  const deadAddress = async (): Promise<string> => `http://127.0.0.1:${await findFreePort()}`
  const refusedWithDelay = { status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) }

  describe('of players', () => {
    it('serves those of its own world, and those without a world', async () => {
      const node = await start('a', 'default')
      await start('b', 'arena')
      for (const query of ['', '?world=default', '?colour=blue'])
        expect((await ask(`${node.url}/realtime${query}`)).first.servedBy).toBe('a')
    })

    it('passes those of another world on to its node, with all frames', async () => {
      const node = await start('a', 'default')
      await start('b', 'arena')
      const { first, socket } = await ask(`${node.url}/realtime?world=arena`)
      expect(first).toMatchObject({ servedBy: 'b', path: '/realtime?world=arena' })
      expect(first.headers).toMatchObject({ 'x-gatehouse-passed-on': 'arena', 'x-forwarded-for': '127.0.0.1' })
      socket.send(Buffer.from([1, 2, 3]))
      expect(await once(socket, 'message')).toEqual([Buffer.from([1, 2, 3]), true])
    })

    it('returns 404 for a world that does not exist', async () => {
      for (const node of [await start('a', 'default'), await start('s')]) {
        const answer = await ask(`${node.url}/realtime?world=nowhere`)
        expect(answer.status).toBe(404)
        expect(JSON.parse(answer.body)).toMatchObject({ type: '/problems/not-found', instance: '/realtime' })
      }
    })

    it('refuses those of a world without a node, with a delay', async () => {
      const node = await start('a', 'default')
      await addWorld('nowhere')
      const answer = await ask(`${node.url}/realtime?world=nowhere`)
      expect(answer).toMatchObject(refusedWithDelay)
      expect(JSON.parse(answer.body)).toMatchObject({ type: '/problems/service-unavailable', instance: '/realtime' })
    })

    it.each(['..%2Fworld', '', 'x'.repeat(65), 'a%00b', 'default&world=arena', '%'])(
      'returns 400 for ?world=%s, which is not a name of a world',
      async (name) => {
        const node = await start('a', 'default')
        expect((await ask(`${node.url}/realtime?world=${name}`)).status).toBe(400)
      },
    )

    it('passes all on from a standby node, in the order of its worlds', async () => {
      const standby = await start('s', undefined, ['gone', 'arena', 'default'])
      await start('a', 'default')
      await start('b', 'arena')
      expect((await ask(`${standby.url}/realtime`)).first.servedBy).toBe('b')
      expect((await ask(`${standby.url}/realtime?world=default`)).first.servedBy).toBe('a')
    })

    it('serves them itself as soon as it has taken the world', async () => {
      const holder = await start('a', 'default')
      const standby = await start('s')
      expect((await ask(`${standby.url}/realtime`)).first.servedBy).toBe('a')
      await holder.runs(undefined)
      await standby.runs('default')
      expect((await ask(`${standby.url}/realtime`)).first.servedBy).toBe('s')
      expect((await ask(`${holder.url}/realtime`)).first.servedBy).toBe('s')
    })

    it('tries the node that took the world last first, and a draining node last', async () => {
      const node = await start('a', 'default')
      const killed = await deadAddress()
      await list('killed', 'arena', killed, 5)
      const heir = await start('heir', 'arena')
      await heir.tell({ fence: 6 })
      expect((await ask(`${node.url}/realtime?world=arena`)).first.servedBy).toBe('heir')
      await heir.tell({ fence: 4, state: 'draining' })
      node.nodes.forget()
      expect((await ask(`${node.url}/realtime?world=arena`)).first.servedBy).toBe('heir')
    })

    it('refuses with a delay when the node of the world is dead and still listed', async () => {
      const node = await start('a', 'default')
      await list('killed', 'arena', await deadAddress())
      expect(await ask(`${node.url}/realtime?world=arena`)).toMatchObject(refusedWithDelay)
    })

    it.each(['not a url', '', 'ftp://127.0.0.1'])(
      'refuses with a delay when the registry has the address %j',
      async (internalUrl) => {
        const node = await start('a', 'default')
        await list('odd', 'arena', internalUrl)
        expect(await ask(`${node.url}/realtime?world=arena`)).toMatchObject(refusedWithDelay)
      },
    )

    it('refuses with a delay when the node of the world accepts connections and never answers', async () => {
      const silent = createServer()
      silent.listen(0, '127.0.0.1')
      await once(silent, 'listening')
      opened.push({ close: () => void silent.close() })
      silent.on('connection', (socket) => opened.push({ close: () => void socket.destroy() }))
      const address = silent.address()
      const node = await start('a', 'default')
      await list('paused', 'arena', `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
      expect(await ask(`${node.url}/realtime?world=arena`)).toMatchObject(refusedWithDelay)
    })

    it('finds a node from its cache while the registry is away', async () => {
      const calls = { isAway: false }
      const failing: Presence = {
        ...presence,
        listNodes: () => (calls.isAway ? Promise.reject(new Error('away')) : presence.listNodes()),
      }
      const node = await startRoutedNode({ nodeId: 'a', world: 'default', presence: failing, store })
      opened.push(node)
      await start('b', 'arena')
      expect((await ask(`${node.url}/realtime?world=arena`)).first.servedBy).toBe('b')
      calls.isAway = true
      node.nodes.forget()
      expect((await ask(`${node.url}/realtime?world=arena`)).first.servedBy).toBe('b')
      expect((await ask(`${node.url}/realtime`)).first.servedBy).toBe('a')
    })

    it('cuts passed-on connections when it closes', async () => {
      const node = await start('a', 'default')
      await start('b', 'arena')
      const { socket } = await ask(`${node.url}/realtime?world=arena`)
      const closed = once(socket, 'close')
      opened.splice(opened.indexOf(node), 1)
      await node.close()
      await closed
    })
  })

  describe('of a passed-on upgrade, or one that claims to be', () => {
    it('does not pass it on again', async () => {
      const node = await start('a', 'default')
      await start('b', 'arena')
      const forged = { 'x-gatehouse-passed-on': 'arena' }
      expect(await ask(`${node.url}/realtime?world=arena`, forged)).toMatchObject(refusedWithDelay)
      expect(await ask(`${node.url}/realtime`, forged)).toMatchObject(refusedWithDelay)
    })

    it.each(['1', '', 'default, default', '../etc'])(
      'gives access only to local routes when a client forges %j',
      async (value) => {
        const node = await start('a', 'default')
        const headers = { 'x-gatehouse-passed-on': value }
        expect((await ask(`${node.url}/realtime?world=default`, headers)).first.servedBy).toBe('a')
        expect(await ask(`${node.url}/realtime?world=arena`, headers)).toMatchObject(refusedWithDelay)
        expect((await ask(`${node.url}/elsewhere`, headers)).status).toBe(404)
      },
    )

    it('refuses it on a standby node', async () => {
      const standby = await start('s')
      await start('a', 'default')
      const headers = { 'x-gatehouse-passed-on': 'default' }
      expect(await ask(`${standby.url}/realtime`, headers)).toMatchObject(refusedWithDelay)
      expect(await ask(`${standby.url}${feedOf(await addZone('default'))}`, headers)).toMatchObject(refusedWithDelay)
    })

    it('prevents a loop between two nodes that each consider the other the holder', async () => {
      const one = await start('a', 'default')
      const other = await start('b', 'default')
      await list('a', 'arena', one.url)
      await list('b', 'arena', other.url)
      expect(await ask(`${one.url}/realtime?world=arena`)).toMatchObject(refusedWithDelay)
    })
  })

  describe('of feeds', () => {
    it('serves those of its own world, and passes others on to the node of their zone', async () => {
      const node = await start('a', 'default')
      await start('b', 'arena')
      expect((await ask(node.url + feedOf(await addZone('default')))).first.servedBy).toBe('a')
      const zone = await addZone('arena')
      expect((await ask(node.url + feedOf(zone))).first).toMatchObject({ servedBy: 'b', path: feedOf(zone) })
      expect((await ask(node.url + feedOf(zone.toUpperCase()))).first.servedBy).toBe('b')
    })

    it('serves those of a world without a node, and of unknown zones, locally', async () => {
      const node = await start('a', 'default')
      expect((await ask(node.url + feedOf(await addZone('arena')))).first.servedBy).toBe('a')
      for (const id of [systemIds.uuid(), 'nonsense', '%2f']) expect((await ask(node.url + feedOf(id))).first.servedBy).toBe('a')
    })

    it('routes the feed of a world to its node, or else to any node, which checks the world', async () => {
      const node = await start('a', 'default')
      await start('b', 'arena')
      const feed = (world: string): string => `${node.url}/api/admin/ws/worlds/${world}`
      expect((await ask(feed('default'))).first.servedBy).toBe('a')
      expect((await ask(feed('arena'))).first).toMatchObject({ servedBy: 'b', path: '/api/admin/ws/worlds/arena' })
      expect((await ask(feed('asleep'))).first.servedBy).toBe('a')
    })

    it('serves a feed that claims to be passed on', async () => {
      const node = await start('a', 'default')
      await start('b', 'arena')
      const headers = { 'x-gatehouse-passed-on': 'arena' }
      expect((await ask(node.url + feedOf(await addZone('arena')), headers)).first.servedBy).toBe('a')
    })

    it('passes on from a standby to any node with a world, and otherwise refuses with a delay', async () => {
      const standby = await start('s')
      const zone = await addZone('gone')
      expect(await ask(standby.url + feedOf(zone))).toMatchObject(refusedWithDelay)
      await start('b', 'arena')
      standby.nodes.forget()
      expect((await ask(standby.url + feedOf(zone))).first.servedBy).toBe('b')
      await start('a', 'default')
      standby.nodes.forget()
      expect((await ask(standby.url + feedOf(zone))).first.servedBy).toBe('a')
    })

    it('refuses with a delay when the node of its world is dead and still listed', async () => {
      const node = await start('a', 'default')
      await list('killed', 'arena', await deadAddress())
      expect(await ask(node.url + feedOf(await addZone('arena')))).toMatchObject(refusedWithDelay)
    })
  })

  it.each(['/realtime?world=arena', 'a feed'])('lets %s wait for a node that is listed a moment later', async (wanted) => {
    let look = (): void => {}
    const looked = new Promise<void>((resolve) => {
      look = resolve
    })
    const watched: Presence = { ...presence, listNodes: () => presence.listNodes().finally(look) }
    const standby = await startRoutedNode({ nodeId: 's', presence: watched, store, retryWindowMs: 60_000 })
    opened.push(standby)
    await addWorld('arena')
    const answer = ask(standby.url + (wanted === 'a feed' ? feedOf(await addZone('arena')) : wanted))
    await looked
    await start('b', 'arena')
    expect((await answer).first.servedBy).toBe('b')
  })

  it.each(['/realtime?world=arena', 'a feed'])(
    'lets %s wait for the successor when its node is dead and still listed',
    async (wanted) => {
      await list('killed', 'arena', await deadAddress())
      const node = await startRoutedNode({ nodeId: 'a', world: 'default', presence, store, retryWindowMs: 60_000 })
      opened.push(node)
      const answer = ask(node.url + (wanted === 'a feed' ? feedOf(await addZone('arena')) : wanted))
      await node.asked()
      await start('heir', 'arena')
      expect((await answer).first.servedBy).toBe('heir')
      expect(node.refused).toEqual([])
    },
  )

  it('lets a feed wait at a restarted node until it runs its world', async () => {
    const node = await start('a', 'default')
    const again = await startRoutedNode({ nodeId: 'again', presence, store, retryWindowMs: 60_000 })
    opened.push(again)
    await list('killed', 'arena', again.url)
    node.nodes.forget()
    const isAsked = again.asked()
    const answer = ask(node.url + feedOf(await addZone('arena')))
    await isAsked
    await again.runs('arena')
    expect((await answer).first.servedBy).toBe('again')
    expect(again.refused).toEqual([])
  })

  it('returns 404 for any other path', async () => {
    const node = await start('a', 'default')
    for (const path of ['/', '/realtime/', '/realtimes', '/api/admin/ws/instances/', '/api/admin/ws/instances/a/b'])
      expect((await ask(node.url + path)).status).toBe(404)
  })
})
