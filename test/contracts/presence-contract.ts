import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Presence } from '../../shared/domain/presence/presence.ts'
import { readyNode } from '../support/realtime/ready-node.ts'
import { waitFor } from '../support/time/wait-for.ts'

/** Opens an empty presence. Its nodes count as dead after `ttlMs` without a report. */
export type OpenPresence = (ttlMs: number) => Promise<{ readonly presence: Presence; readonly close: () => Promise<void> }>

const longMs = 60_000

/** What every Presence promises. */
export const presenceContract = (name: string, open: OpenPresence) => {
  describe(`Presence on ${name}`, () => {
    let presence: Presence
    let close: () => Promise<void>
    const reopen = async (ttlMs: number) => {
      const opened = await open(ttlMs)
      presence = opened.presence
      close = opened.close
    }
    beforeEach(() => reopen(longMs))
    afterEach(() => close())

    const list = async () => [...(await presence.listConnected())].sort()

    it('knows nobody before a node spoke', async () => {
      expect(await presence.countConnected()).toBe(0)
      expect(await list()).toEqual([])
    })

    it('tells who entered and did not leave, on all nodes together', async () => {
      const one = presence.openNode('one')
      const other = presence.openNode('other')
      for (const player of ['ann', 'bob', 'bob', 'cid']) one.enter(player, player)
      one.leave('cid')
      one.leave('nobody')
      other.enter('dot', 'dot')
      await one.renew()
      await other.renew()
      expect(await list()).toEqual(['ann', 'bob', 'dot'])
      expect(await presence.countConnected()).toBe(3)
    })

    it('follows each renewal', async () => {
      const node = presence.openNode('one')
      node.enter('ann', 'ann')
      await node.renew()
      node.enter('bob', 'bob')
      node.leave('ann')
      await node.renew()
      expect(await list()).toEqual(['bob'])
      node.enter('ann', 'ann')
      node.leave('ann')
      node.leave('bob')
      node.enter('bob', 'bob')
      await node.renew()
      await node.renew()
      expect(await list()).toEqual(['bob'])
      node.leave('bob')
      await node.renew()
      expect(await list()).toEqual([])
      expect(await presence.countConnected()).toBe(0)
    })

    it('lists a player once who is on two nodes', async () => {
      for (const id of ['one', 'other']) {
        const node = presence.openNode(id)
        node.enter('ann', 'ann')
        await node.renew()
      }
      expect(await list()).toEqual(['ann'])
    })

    it('takes a node that is closed out at once, and no other', async () => {
      const one = presence.openNode('one')
      const other = presence.openNode('other')
      one.enter('ann', 'ann')
      other.enter('bob', 'bob')
      await one.renew()
      await other.renew()
      await one.close()
      expect(await list()).toEqual(['bob'])
      expect(await presence.countConnected()).toBe(1)
    })

    it('closes a node that never spoke', async () => {
      await presence.openNode('one').close()
      expect(await list()).toEqual([])
    })

    it('forgets a node that says nothing any more, and knows all of it when it speaks again', async () => {
      await close()
      await reopen(150)
      const node = presence.openNode('one')
      node.enter('ann', 'ann')
      node.enter('bob', 'bob')
      await node.renew()
      await waitFor(async () => (await presence.countConnected()) === 0)
      expect(await list()).toEqual([])
      node.leave('bob')
      node.enter('cid', 'cid')
      await node.renew()
      expect(await list()).toEqual(['ann', 'cid'])
    })

    it('keeps a node that goes on speaking, players without news included', async () => {
      await close()
      await reopen(400)
      const node = presence.openNode('one')
      node.enter('ann', 'ann')
      const started = performance.now()
      await waitFor(async () => {
        await node.renew()
        expect(await list()).toEqual(['ann'])
        return performance.now() - started > 900
      })
    })

    it('holds 2,500 players of a node', async () => {
      const node = presence.openNode('one')
      const players = Array.from({ length: 2500 }, (_, at) => `player-${at}`)
      for (const player of players) node.enter(player, player)
      await node.renew()
      expect(await presence.countConnected()).toBe(2500)
      for (const player of players.slice(1)) node.leave(player)
      await node.renew()
      expect(await list()).toEqual(['player-0'])
    })

    it('tells what a node said of itself, and how many players it has', async () => {
      const node = presence.openNode('one')
      node.describe(readyNode('default'))
      node.enter('ann', 'Ann')
      await node.renew()
      expect(await presence.listNodes()).toEqual([{ nodeId: 'one', sessions: 1, ...readyNode('default') }])
      node.describe(readyNode('default', { state: 'draining', maxSessions: 5 }))
      node.leave('ann')
      await node.renew()
      expect(await presence.listNodes()).toEqual([
        { nodeId: 'one', sessions: 0, ...readyNode('default', { state: 'draining', maxSessions: 5 }) },
      ])
    })

    it('lists nodes by world and id, and those that wait for a world last', async () => {
      const described = { e: undefined, b: 'default', d: undefined, c: 'arena', a: 'default' }
      for (const [id, world] of Object.entries(described)) {
        const node = presence.openNode(id)
        node.describe(readyNode(world, { state: world === undefined ? 'standby' : 'ready' }))
        await node.renew()
      }
      const nodes = await presence.listNodes()
      expect(nodes.map(({ nodeId, world }) => [nodeId, world])).toEqual([
        ['c', 'arena'],
        ['a', 'default'],
        ['b', 'default'],
        ['d', undefined],
        ['e', undefined],
      ])
    })

    it('lists no node that did not describe itself, is closed, or says nothing any more', async () => {
      await close()
      await reopen(150)
      const silent = presence.openNode('silent')
      silent.enter('ann', 'Ann')
      await silent.renew()
      expect(await presence.listNodes()).toEqual([])
      for (const id of ['closed', 'dead']) {
        const node = presence.openNode(id)
        node.describe(readyNode('default'))
        await node.renew()
        if (id === 'closed') await node.close()
      }
      await waitFor(async () => (await presence.listNodes()).length === 0)
    })

    it('lists everybody with their name and node by name, once each, under the name that came last', async () => {
      const one = presence.openNode('one')
      const other = presence.openNode('other')
      one.enter('p1', 'Zoë "Z" {braces}')
      one.enter('p2', 'Bob')
      other.enter('p3', 'Ann')
      other.enter('p2', 'Bob')
      await one.renew()
      await other.renew()
      expect((await presence.listPlayers()).map(({ playerId, displayName }) => [playerId, displayName])).toEqual([
        ['p3', 'Ann'],
        ['p2', 'Bob'],
        ['p1', 'Zoë "Z" {braces}'],
      ])
      one.enter('p1', 'Zed')
      other.leave('p2')
      await one.renew()
      await other.renew()
      expect(await presence.listPlayers()).toEqual([
        { playerId: 'p3', displayName: 'Ann', nodeId: 'other' },
        { playerId: 'p2', displayName: 'Bob', nodeId: 'one' },
        { playerId: 'p1', displayName: 'Zed', nodeId: 'one' },
      ])
    })
  })
}
