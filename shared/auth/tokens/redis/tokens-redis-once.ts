import type { Clock } from '../../../kernel/clock.ts'
import { hashSecret } from '../../../kernel/ids.ts'
import type { RedisConnection } from '../../../storage/redis/redis.ts'
import type { TokenStore } from '../tokens.ts'

/** Single-use secrets in Redis: the key is hashed, the value bears its end by `clock`, and one GETDEL decides who gets it. */
export const createRedisOnce = ({
  redis,
  clock,
}: {
  readonly redis: RedisConnection
  readonly clock: Clock
}): Pick<TokenStore, 'putOnce' | 'findOnce' | 'takeOnce'> => {
  const onceKey = (secret: string) => `${redis.prefix}once:${hashSecret(secret)}`
  const readStored = (stored: string | null): string | undefined => {
    const space = stored?.indexOf(' ') ?? -1
    return stored && Number(stored.slice(0, space)) > clock.now() ? stored.slice(space + 1) : undefined
  }
  return {
    putOnce: async (key, value, ttlSeconds) => {
      const ttlMs = Math.ceil(ttlSeconds * 1000)
      await redis.ask((client) => client.set(onceKey(key), `${clock.now() + ttlMs} ${value}`, 'PX', ttlMs))
    },
    findOnce: async (key) => readStored(await redis.ask((client) => client.get(onceKey(key)))),
    takeOnce: async (key) => readStored(await redis.ask((client) => client.getdel(onceKey(key)))),
  }
}
