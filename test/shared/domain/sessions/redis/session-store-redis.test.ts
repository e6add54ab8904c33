import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createRedisSessionStore } from '../../../../../shared/domain/sessions/redis/session-store-redis.ts'
import type { SessionStore } from '../../../../../shared/domain/sessions/session-store.ts'
import type { RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { createKeptSession, sessionStoreContract } from '../../../../contracts/session-store-contract.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'
import { startStepped } from '../../../../support/redis/stepped-redis.ts'

describeEachRedis((name, connect) => {
  sessionStoreContract(name, async () => {
    const redis = connect()
    return { sessions: createRedisSessionStore({ redis }), close: () => redis.close() }
  })

  describe('the sessions in Redis', () => {
    let redis: RedisConnection
    let sessions: SessionStore
    const [ann, bob] = [createKeptSession('ann'), createKeptSession('bob')]
    beforeEach(() => {
      redis = connect()
      sessions = createRedisSessionStore({ redis })
    })
    afterEach(() => redis.close())
    const key = () => `${redis.prefix}sessions:{world}`
    const open = async () => {
      const holder = sessions.openWorld('world', 1)
      await holder.writeAll([ann, bob], 60_000)
      return holder
    }

    it('expire', async () => {
      await open()
      expect(await redis.ask((client) => client.pttl(key()))).toBeGreaterThan(50_000)
    })

    it('expire too when there was nothing to take over', async () => {
      await sessions.openWorld('world', 1).take()
      expect(await redis.ask((client) => client.pttl(key()))).toBeGreaterThan(50_000)
    })

    it('are recognized as lost or outdated after a failover', async () => {
      const holder = await open()
      const before = await redis.ask((client) => client.hgetall(key()))
      await holder.write({ kept: [], ended: ['bob'] }, 60_000)
      await redis.ask((client) => client.hset(key(), before))
      expect(await holder.write({ kept: [], ended: [] }, 60_000)).toBe(false)
      await holder.writeAll([ann], 60_000)
      await redis.ask((client) => client.del(key()))
      expect(await holder.write({ kept: [], ended: [] }, 60_000)).toBe(false)
    })

    it('are complete during a rewrite: a new holder reads all old sessions or all new ones', async () => {
      const playersOf = async (fence: number) =>
        (await sessions.openWorld('world', fence).take()).map(({ playerId }) => playerId).sort()
      const many = Array.from({ length: 1100 }, (_, at) => createKeptSession(`player-${String(at).padStart(4, '0')}`))
      const whole = [['ann', 'bob'], many.map(({ playerId }) => playerId)]
      for (let steps = 0, isDone = false; !isDone; steps += 1) {
        await sessions.openWorld('world', 2 * steps + 1).writeAll([ann, bob], 60_000)
        const rewriting = await startStepped(redis, (stepped) =>
          createRedisSessionStore({ redis: stepped })
            .openWorld('world', 2 * steps + 1)
            .writeAll(many, 60_000),
        )
        for (let step = 0; step < steps; step += 1) await rewriting.step()
        const players = await playersOf(2 * steps + 2)
        expect(whole).toContainEqual(players)
        isDone = players.length > 2
        // An overtaken writer changes nothing.
        await rewriting.finish()
        expect(await playersOf(2 * steps + 2)).toEqual(players)
      }
    })

    it('stay unchanged when Redis loses part of a rewrite, and the holder gets an error', async () => {
      await open()
      const many = Array.from({ length: 1100 }, (_, at) => createKeptSession(`player-${at}`))
      const rewriting = await startStepped(redis, (stepped) =>
        createRedisSessionStore({ redis: stepped }).openWorld('world', 1).writeAll(many, 60_000),
      )
      for (let step = 0; step < 2; step += 1) await rewriting.step()
      await redis.ask((client) => client.del(`${key()}:aside`))
      expect(await rewriting.finish()).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } })
      expect(await sessions.openWorld('world', 2).take()).toHaveLength(2)
    })

    it('leave no permanent data when a holder ends during a rewrite', async () => {
      const many = Array.from({ length: 1100 }, (_, at) => createKeptSession(`player-${at}`))
      const rewriting = await startStepped(redis, (stepped) =>
        createRedisSessionStore({ redis: stepped }).openWorld('world', 1).writeAll(many, 60_000),
      )
      await rewriting.step()
      const keys = await redis.ask((client) => client.keys(`${redis.prefix}*`))
      expect(keys).not.toEqual([])
      for (const left of keys) expect(await redis.ask((client) => client.pttl(left))).toBeGreaterThan(0)
      await rewriting.finish()
    })

    it('are skipped when they are foreign', async () => {
      await open()
      await redis.ask((client) => client.hset(key(), { ann: 'nonsense', bob: '[1,"x"]' }))
      expect(await sessions.openWorld('world', 2).take()).toEqual([])
    })
  })
})
