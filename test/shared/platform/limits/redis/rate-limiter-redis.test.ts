import { describe, expect, it } from '@jest/globals'
import { createRedisRateLimiter } from '../../../../../shared/platform/limits/redis/rate-limiter-redis.ts'
import { rateLimiterContract } from '../../../../contracts/rate-limiter-contract.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'

describeEachRedis((name, connect) => {
  rateLimiterContract(name, async () => {
    const redis = connect()
    return { limiter: createRedisRateLimiter({ redis }), close: () => redis.close() }
  })

  describe('across processes', () => {
    it('counts the calls of two of them together', async () => {
      const here = connect()
      const there = connect({ prefix: here.prefix })
      const limiters = [here, there].map((redis) => createRedisRateLimiter({ redis }))
      const limit = { max: 5, perSeconds: 60 }
      const decisions = await Promise.all(
        Array.from({ length: 20 }, (_, use) => limiters[use % 2]?.consume('sign-in', 'ann@example.com', limit)),
      )
      expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(5)
      await Promise.all([here.close(), there.close()])
    })
  })
})
