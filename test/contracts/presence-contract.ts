import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Presence } from '../../shared/presence/presence.ts'
import { waitFor } from '../support/wait-for.ts'

/** Opens a presence that no node has told anything, whose nodes count as dead after `ttlMs` without a word. */
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
      for (const player of ['ann', 'bob', 'bob', 'cid']) one.enter(player)
      one.leave('cid')
      one.leave('nobody')
      other.enter('dot')
      await one.renew()
      await other.renew()
      expect(await list()).toEqual(['ann', 'bob', 'dot'])
      expect(await presence.countConnected()).toBe(3)
    })

    it('follows each renewal', async () => {
      const node = presence.openNode('one')
      node.enter('ann')
      await node.renew()
      node.enter('bob')
      node.leave('ann')
      await node.renew()
      expect(await list()).toEqual(['bob'])
      node.enter('ann')
      node.leave('ann')
      node.leave('bob')
      node.enter('bob')
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
        node.enter('ann')
        await node.renew()
      }
      expect(await list()).toEqual(['ann'])
    })

    it('takes a node that is closed out at once, and no other', async () => {
      const one = presence.openNode('one')
      const other = presence.openNode('other')
      one.enter('ann')
      other.enter('bob')
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
      node.enter('ann')
      node.enter('bob')
      await node.renew()
      await waitFor(async () => (await presence.countConnected()) === 0)
      expect(await list()).toEqual([])
      node.leave('bob')
      node.enter('cid')
      await node.renew()
      expect(await list()).toEqual(['ann', 'cid'])
    })

    it('keeps a node that goes on speaking, players without news included', async () => {
      await close()
      await reopen(400)
      const node = presence.openNode('one')
      node.enter('ann')
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
      for (const player of players) node.enter(player)
      await node.renew()
      expect(await presence.countConnected()).toBe(2500)
      for (const player of players.slice(1)) node.leave(player)
      await node.renew()
      expect(await list()).toEqual(['player-0'])
    })
  })
}
