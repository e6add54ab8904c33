import type { NodeReports } from '../domain/node-reports/node-reports.ts'
import { createMemoryNodeReports } from '../domain/node-reports/node-reports-memory.ts'
import { createRedisNodeReports } from '../domain/node-reports/redis/node-reports-redis.ts'
import type { Presence } from '../domain/presence/presence.ts'
import { createMemoryPresence } from '../domain/presence/presence-memory.ts'
import { createRedisPresence } from '../domain/presence/redis/presence-redis.ts'
import { createRedisWhereabouts } from '../domain/presence/redis/whereabouts-redis.ts'
import { createMemoryWhereabouts, type Whereabouts } from '../domain/presence/whereabouts.ts'
import { createRedisSessionStore } from '../domain/sessions/redis/session-store-redis.ts'
import type { SessionStore } from '../domain/sessions/session-store.ts'
import { createMemorySessionStore } from '../domain/sessions/session-store-memory.ts'
import { createRecordTokenStore } from '../domain/tokens/records/record-token-store.ts'
import { createRedisTokenStore } from '../domain/tokens/redis/tokens-redis.ts'
import type { TokenStore } from '../domain/tokens/tokens.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { repeat } from '../kernel/repeat.ts'
import type { SteeredClock } from '../kernel/steered-clock.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import { createMemoryEventBus } from '../platform/events/memory-events.ts'
import { createRedisEventBus } from '../platform/events/redis/redis-events.ts'
import { createMemoryRateLimiter, type RateLimiter } from '../platform/limits/rate-limiter.ts'
import { createRedisRateLimiter } from '../platform/limits/redis/rate-limiter-redis.ts'
import type { ServiceMetrics } from '../platform/metrics/service-metrics.ts'
import { createRedis } from '../platform/storage/redis/redis.ts'
import { findEvictionWarning } from '../platform/storage/redis/redis-eviction.ts'
import { followRedisTime } from '../platform/storage/redis/redis-time.ts'
import type { Store } from '../platform/storage/store.ts'
import { watchRedis } from '../platform/tracing/call-watch.ts'

/** Shared state for processes that work together. */
export type Coordination = {
  readonly tokens: TokenStore
  readonly limiter: RateLimiter
  readonly events: EventBus
  readonly presence: Presence
  readonly sessions: SessionStore
  readonly whereabouts: Whereabouts
  readonly nodeReports: NodeReports
  /** Public warnings about the setup of Redis that do not stop the server. */
  findWarnings(): Promise<readonly string[]>
  close(): Promise<void>
}

export type CoordinationDeps = {
  /** Stores tokens without Redis. */
  readonly store: Store
  readonly redisUrl: string | undefined
  readonly redisPatienceMs: number
  /** Corrected by the clock of Redis. */
  readonly clock: SteeredClock
  readonly ids: Ids
  readonly log: Log
  /** How long a command waits while Redis is being reconnected, in milliseconds; when absent, it does not wait. */
  readonly redisWaitMs?: number | undefined
  readonly metrics: ServiceMetrics
}

/** The interval of removing expired tokens, in milliseconds. */
const sweepTokensMs = 60_000

type OpenTokens = { readonly tokens: TokenStore; stop(): void }

/** Tokens in the record store, where they outlive the process. Expired ones are removed once a minute. */
const openRecordTokens = (deps: Pick<CoordinationDeps, 'store' | 'clock' | 'ids' | 'log'>): OpenTokens => {
  const tokens = createRecordTokenStore(deps)
  const sweep = async (): Promise<void> => {
    try {
      await tokens.sweep()
    } catch (error) {
      deps.log.warn({ err: error }, 'expired tokens cannot be removed; retrying')
    }
  }
  return { tokens, stop: repeat(sweep, sweepTokensMs) }
}

/** Uses Redis if there is an address. Otherwise tokens are in the record store and the rest is in memory, for one process only. */
export const openCoordination = (deps: CoordinationDeps): Coordination => {
  const { redisUrl, redisPatienceMs: patienceMs, clock, ids, log, redisWaitMs, metrics } = deps
  const readyWait = redisWaitMs === undefined ? {} : { readyWait: { waitMs: redisWaitMs, clock } }
  const redis =
    redisUrl === undefined
      ? undefined
      : createRedis({ url: redisUrl, patienceMs, log, ids, watch: watchRedis(deps), ...readyWait })
  const endTime = redis && followRedisTime({ redis, clock, log })
  const { tokens, stop } = redis
    ? { tokens: createRedisTokenStore({ redis, clock, ids }), stop: () => undefined }
    : openRecordTokens(deps)
  const limiter = redis ? createRedisRateLimiter({ redis }) : createMemoryRateLimiter()
  const events = redis ? createRedisEventBus({ redis, log, metrics }) : createMemoryEventBus({ log, metrics })
  const presence = redis ? createRedisPresence({ redis }) : createMemoryPresence({ clock })
  const sessions = redis ? createRedisSessionStore({ redis }) : createMemorySessionStore({ clock })
  const whereabouts = redis ? createRedisWhereabouts({ redis }) : createMemoryWhereabouts()
  const nodeReports = redis ? createRedisNodeReports({ redis }) : createMemoryNodeReports({ clock })
  return {
    tokens,
    limiter,
    events,
    presence,
    sessions,
    whereabouts,
    nodeReports,
    findWarnings: async () => {
      const warning = redis && (await findEvictionWarning(redis))
      return warning === undefined ? [] : [warning]
    },
    close: async () => {
      await sessions.close()
      await presence.close()
      await events.close()
      await limiter.close()
      stop()
      await tokens.close()
      endTime?.()
      await redis?.close()
    },
  }
}
