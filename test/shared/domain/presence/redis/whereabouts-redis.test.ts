import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createRedisWhereabouts } from '../../../../../shared/domain/presence/redis/whereabouts-redis.ts'
import type { RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { whereaboutsContract } from '../../../../contracts/whereabouts-contract.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'

describeEachRedis((name, connect) => {
  whereaboutsContract(name, async () => {
    const redis = connect()
    return { whereabouts: createRedisWhereabouts({ redis }), close: () => redis.close() }
  })

  describe('the whereabouts in Redis', () => {
    let redis: RedisConnection
    beforeEach(() => {
      redis = connect()
    })
    afterEach(() => redis.close())

    it('can be lost: later entries stay newer than renewed earlier ones', async () => {
      const whereabouts = createRedisWhereabouts({ redis })
      const [ann, bob] = await whereabouts.enter('one', ['ann', 'bob'])
      if (ann === undefined || bob === undefined) throw new Error('no entry')
      await redis.ask((client) => client.del(`${redis.prefix}whereabouts`))
      const [now] = await whereabouts.enter('other', ['ann'])
      expect(now?.at).toBeGreaterThan(ann.at)
      expect(await whereabouts.renew([ann, bob])).toEqual([now])
      expect(await redis.ask((client) => client.hget(`${redis.prefix}whereabouts`, 'bob'))).toBe(`${bob.at} one`)
    })

    it('treat foreign values as missing', async () => {
      const whereabouts = createRedisWhereabouts({ redis })
      const [ann] = await whereabouts.enter('one', ['ann'])
      if (ann === undefined) throw new Error('no entry')
      for (const text of ['', 'nonsense', '9999999999999999999999 x', ' one', '99999999999999999']) {
        await redis.ask((client) => client.hset(`${redis.prefix}whereabouts`, 'ann', text))
        expect(await whereabouts.renew([ann])).toEqual([])
        const [again] = await whereabouts.enter('one', ['ann'])
        expect(Number.isFinite(again?.at)).toBe(true)
        await whereabouts.leave('other', ['ann'])
      }
    })

    it('expire a day after the last renewal of any node', async () => {
      await createRedisWhereabouts({ redis }).enter('one', ['ann'])
      const leftMs = await redis.ask((client) => client.pttl(`${redis.prefix}whereabouts`))
      expect(leftMs).toBeGreaterThan(86_000_000)
      expect(leftMs).toBeLessThanOrEqual(86_400_000)
    })
  })
})
