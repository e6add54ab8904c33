import type { TokenStore } from './auth/tokens.ts'
import { createMemoryTokenStore } from './auth/tokens-memory.ts'
import { createRedisTokenStore } from './auth/tokens-redis.ts'
import type { EventBus } from './events/event-bus.ts'
import { createMemoryEventBus } from './events/memory.ts'
import { createRedisEventBus } from './events/redis.ts'
import type { Clock } from './kernel/clock.ts'
import type { Ids } from './kernel/ids.ts'
import type { Log } from './kernel/log.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import { createMemoryRateLimiter } from './limits/rate-limiter-memory.ts'
import { createRedisRateLimiter } from './limits/rate-limiter-redis.ts'
import type { Presence } from './presence/presence.ts'
import { createMemoryPresence } from './presence/presence-memory.ts'
import { createRedisPresence } from './presence/presence-redis.ts'
import { createRedis } from './storage/redis.ts'

/** What processes must agree on from moment to moment. */
export type Coordination = {
  readonly tokens: TokenStore
  readonly limiter: RateLimiter
  readonly events: EventBus
  readonly presence: Presence
  close(): Promise<void>
}

export type CoordinationDeps = {
  readonly redisUrl: string | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** How long a command waits for a connection to Redis that is being made again, in milliseconds; not at all when absent. */
  readonly redisWaitMs?: number | undefined
}

/** On Redis where there is an address, else in memory, which serves one process only. */
export const openCoordination = ({ redisUrl, clock, ids, log, redisWaitMs }: CoordinationDeps): Coordination => {
  const patience = redisWaitMs === undefined ? {} : { patience: { waitMs: redisWaitMs, clock } }
  const redis = redisUrl === undefined ? undefined : createRedis({ url: redisUrl, log, ids, ...patience })
  const tokens = redis ? createRedisTokenStore({ redis, clock, ids }) : createMemoryTokenStore({ clock, ids })
  const limiter = redis ? createRedisRateLimiter({ redis }) : createMemoryRateLimiter()
  const events = redis ? createRedisEventBus({ redis, log }) : createMemoryEventBus({ log })
  const presence = redis ? createRedisPresence({ redis }) : createMemoryPresence({ clock })
  return {
    tokens,
    limiter,
    events,
    presence,
    close: async () => {
      await presence.close()
      await events.close()
      await limiter.close()
      await tokens.close()
      await redis?.close()
    },
  }
}
