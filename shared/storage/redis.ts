import { Cluster, Redis } from 'ioredis'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { describeRedisFault, toUnavailable } from './redis-fault.ts'
import { parseRedisUrl, type RedisTarget } from './redis-url.ts'

export type RedisClient = Redis | Cluster

/** One connection to Redis that heals itself; who creates it closes it. */
export type RedisConnection = {
  /** Begins every key and channel. */
  readonly prefix: string
  readonly client: RedisClient
  /** Runs commands on the client; whatever fails, within about a second, is AppError `unavailable`, never an error of ioredis. */
  ask<T>(commands: (client: RedisClient) => Promise<T>): Promise<T>
  /** A further connection to the same place, for subscriptions. */
  duplicate(): RedisConnection
  close(): Promise<void>
}

export type RedisDeps = {
  readonly url: string
  readonly log: Log
  readonly ids: Ids
  /** `gatehouse:` when absent. */
  readonly prefix?: string
}

const silenceMaxMs = 1000
const retryDelayMaxMs = 500

/** Doubles from 50 ms up to half a second, and spreads, so that many processes do not come back in step. */
const createRetryDelay = (ids: Ids) => (attempt: number) => {
  const spread = Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32
  return Math.round(Math.min(retryDelayMaxMs, 50 * 2 ** Math.min(attempt - 1, 10)) * (0.5 + spread / 2))
}

const connect = (target: RedisTarget, retryDelay: (attempt: number) => number): RedisClient => {
  const common = {
    connectionName: 'gatehouse',
    connectTimeout: silenceMaxMs,
    // A peer that vanished without a word is noticed by its silence, and the connection made anew.
    socketTimeout: silenceMaxMs,
    commandTimeout: silenceMaxMs,
    maxLoadingRetryTime: 250,
    // What was in flight fails at once: repeating a command that may have been done is the caller's decision.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // The event bus subscribes again by itself: ioredis leaves a failure of its own attempt unhandled.
    autoResubscribe: false,
    ...(target.username !== undefined && { username: target.username }),
    ...(target.password !== undefined && { password: target.password }),
    ...(target.tls && { tls: {} }),
  }
  if (target.kind === 'cluster')
    return new Cluster([...target.nodes], {
      redisOptions: common,
      enableOfflineQueue: false,
      clusterRetryStrategy: retryDelay,
      slotsRefreshTimeout: silenceMaxMs,
      // Five times 100 ms: a failover or a moved slot is followed, a dead node is not waited for.
      maxRedirections: 5,
      // Certificates are made out to names, so names must reach the TLS layer.
      ...(target.tls && { dnsLookup: (address, callback) => callback(null, address) }),
    })
  const single = { ...common, db: target.db, enableOfflineQueue: false, retryStrategy: retryDelay }
  if (target.path !== undefined) return new Redis({ ...single, path: target.path })
  if (target.kind === 'sentinel')
    return new Redis({
      ...single,
      sentinels: [...target.nodes],
      name: target.name ?? '',
      sentinelRetryStrategy: retryDelay,
      sentinelCommandTimeout: silenceMaxMs,
    })
  return new Redis({ ...single, ...target.nodes[0] })
}

/** Connects at once and for ever again, without a queue for commands while Redis is away; a change between reachable and away is logged once. Throws AppError `invalid` for an address that is none. */
export const createRedis = ({ url, log, ids, prefix = 'gatehouse:' }: RedisDeps): RedisConnection => {
  const target = parseRedisUrl(url)
  const redis = target.path ?? target.nodes.map(({ host, port }) => `${host}:${port}`).join()
  const client = connect(target, createRetryDelay(ids))

  let state: 'connecting' | 'reachable' | 'away' | 'closing' = 'connecting'
  const reachable = () => {
    if (state !== 'closing' && state !== 'reachable') {
      state = 'reachable'
      log.info({ redis }, 'Redis is reachable')
    }
  }
  const away = (fault?: unknown) => {
    if (state !== 'closing' && state !== 'away') {
      state = 'away'
      log.warn(
        { redis, reason: fault === undefined ? 'connection closed' : describeRedisFault(fault) },
        'Redis is away; trying until it is back',
      )
    }
  }
  client.on('ready', reachable)
  client.on('error', away)
  client.on('close', () => away())

  // The first commands wait for the first attempt to connect, later ones for nothing.
  const attempted = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close', 'end']) client.once(event, () => resolve())
  })

  return {
    prefix,
    client,
    ask: async (commands) => {
      if (state === 'connecting') await attempted
      try {
        return await commands(client)
      } catch (fault) {
        throw toUnavailable(fault)
      }
    },
    duplicate: () => createRedis({ url, log: log.child({ use: 'subscriptions' }), ids, prefix }),
    close: async () => {
      state = 'closing'
      if (client.status === 'ready') await client.quit().catch(() => undefined)
      client.disconnect()
    },
  }
}
