import { RateLimiterRedis } from 'rate-limiter-flexible'
import { hashSecret } from '../../../kernel/ids.ts'
import type { RedisConnection } from '../../storage/redis/redis.ts'
import { decideRate, type RateLimiter } from '../rate-limiter.ts'

/**
 * Counts across all processes, in fixed windows that start with the first use, by the clock of Redis. Keys are stored hashed. `close`
 * does not close the connection.
 */
export const createRedisRateLimiter = ({ redis }: { readonly redis: RedisConnection }): RateLimiter => {
  const counter = new RateLimiterRedis({
    storeClient: redis.client,
    keyPrefix: `${redis.prefix}limit`,
    points: Number.MAX_SAFE_INTEGER,
    duration: 1,
  })
  return {
    consume: async (bucket, key, limit, uses = 1) => {
      const count = await redis.ask(() =>
        counter.consume(`${bucket}:${hashSecret(key)}`, uses, { customDuration: limit.perSeconds }),
      )
      return decideRate(count, limit)
    },
    close: async () => undefined,
  }
}
