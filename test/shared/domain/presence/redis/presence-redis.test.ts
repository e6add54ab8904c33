import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Presence } from '../../../../../shared/domain/presence/presence.ts'
import { createRedisPresence } from '../../../../../shared/domain/presence/redis/presence-redis.ts'
import type { RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { presenceContract } from '../../../../contracts/presence-contract.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'
import { startStepped } from '../../../../support/redis/stepped-redis.ts'

describeEachRedis((name, connect) => {
  presenceContract(name, async (ttlMs) => {
    const redis = connect()
    return { presence: createRedisPresence({ redis, ttlMs }), close: () => redis.close() }
  })

  describe('the presence data in Redis', () => {
    let redis: RedisConnection
    let presence: Presence
    beforeEach(() => {
      redis = connect()
      presence = createRedisPresence({ redis })
    })
    afterEach(() => redis.close())

    const listed = () => redis.ask((client) => client.hkeys(`${redis.prefix}presence:nodes`))
    const recordKey = `presence:{one}:node`
    const playersKey = `presence:{one}:names`
    const openNode = async (...players: string[]) => {
      const node = presence.openNode('one')
      for (const player of players) node.enter(player, player)
      await node.renew()
      return node
    }

    it('expires ten seconds after the last renewal', async () => {
      await openNode('ann')
      for (const key of [recordKey, playersKey]) {
        const left = await redis.ask((client) => client.pttl(redis.prefix + key))
        expect(left).toBeGreaterThan(5000)
        expect(left).toBeLessThanOrEqual(10_000)
      }
    })

    it('is visible to another process', async () => {
      await openNode('ann')
      const there = connect({ prefix: redis.prefix })
      expect([...(await createRedisPresence({ redis: there }).listConnected())]).toEqual(['ann'])
      await there.close()
    })

    it.each([
      ['the record', [recordKey]],
      ['the players', [playersKey]],
      ['everything', [recordKey, playersKey, 'presence:nodes']],
    ])('is written again by the next renewal after Redis lost %s', async (_, lost) => {
      const node = await openNode('ann', 'bob')
      for (const key of lost) await redis.ask((client) => client.del(redis.prefix + key))
      node.enter('cid', 'cid')
      await node.renew()
      expect([...(await presence.listConnected())].sort()).toEqual(['ann', 'bob', 'cid'])
      expect(await presence.countConnected()).toBe(3)
    })

    it('is written again after Redis fell back to an older state, as after a failover', async () => {
      const node = await openNode('ann')
      const record = await redis.ask((client) => client.get(redis.prefix + recordKey))
      node.leave('ann')
      node.enter('bob', 'bob')
      await node.renew()
      await redis.ask((client) => client.set(redis.prefix + recordKey, record ?? '', 'PX', 10_000))
      await redis.ask((client) => client.hdel(redis.prefix + playersKey, 'bob'))
      await redis.ask((client) => client.hset(redis.prefix + playersKey, 'ann', 'ann'))
      await node.renew()
      expect([...(await presence.listConnected())]).toEqual(['bob'])
    })

    it('loses dead nodes when it is read', async () => {
      await openNode('ann')
      await redis.ask((client) => client.del(redis.prefix + recordKey))
      expect(await presence.countConnected()).toBe(0)
      expect(await listed()).toEqual([])
    })

    it('keeps a node that renews while a reader removes it as dead', async () => {
      const node = await openNode('ann')
      await redis.ask((client) => client.del(redis.prefix + recordKey))
      const asking = await startStepped(redis, (stepped) => createRedisPresence({ redis: stepped }).countConnected())
      await asking.step()
      await asking.step()
      await node.renew()
      await asking.finish()
      expect(await listed()).toEqual(['one'])
      expect(await presence.countConnected()).toBe(1)
    })

    it.each(['nonsense', '{}', '[]', '{"revision":1,"connected":-1}', '{"revision":1,"connected":1,"facts":{"state":"mad"}}'])(
      'counts a record of %s as a node without players',
      async (text) => {
        await openNode('ann')
        await redis.ask((client) => client.set(redis.prefix + recordKey, text, 'PX', 10_000))
        expect(await presence.countConnected()).toBe(0)
        expect(await presence.listNodes()).toEqual([])
      },
    )

    it('is readable from nodes of an older and of a newer version', async () => {
      await openNode('ann')
      const older = '{"revision":7,"connected":1}'
      await redis.ask((client) => client.set(redis.prefix + recordKey, older, 'PX', 10_000))
      expect(await presence.countConnected()).toBe(1)
      expect(await presence.listNodes()).toEqual([])
      const facts = {
        state: 'ready',
        fence: 3,
        url: 'http://a',
        internalUrl: 'http://b',
        maxSessions: 1,
        startedAt: 2,
        version: '9',
      }
      const newer = { revision: 8, connected: 1, mood: 'fine', facts: { ...facts, world: 'default', colour: 'blue' } }
      await redis.ask((client) => client.set(redis.prefix + recordKey, JSON.stringify(newer), 'PX', 10_000))
      expect(await presence.listNodes()).toEqual([{ nodeId: 'one', sessions: 1, world: 'default', ...facts }])
    })
  })
})
