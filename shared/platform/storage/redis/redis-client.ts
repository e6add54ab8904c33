import { Cluster, Redis } from 'ioredis'
import type { RedisTarget } from './redis-url.ts'

export type RedisClient = Redis | Cluster

/** Milliseconds before the nth attempt to reconnect, n from 1. */
type RetryDelay = (attempt: number) => number

const silenceMaxMsOf = ({ patienceMs = 1000 }: RedisTarget): number => patienceMs

const commonOptions = (target: RedisTarget) => ({
  connectionName: 'gatehouse',
  connectTimeout: silenceMaxMsOf(target),
  // Detects a peer that has disappeared by its silence, and reconnects.
  socketTimeout: silenceMaxMsOf(target),
  disconnectTimeout: 250,
  maxLoadingRetryTime: 250,
  // Pending commands fail at once. Only the caller can decide whether to repeat a command that may have been executed.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // After a failover, an open connection leads to a replica. The address then leads to the primary.
  reconnectOnError: ({ message }: Error) => message.includes('READONLY'),
  // The event bus subscribes again by itself. The attempt of ioredis would leave its failure unhandled.
  autoResubscribe: false,
  ...(target.username !== undefined && { username: target.username }),
  ...(target.password !== undefined && { password: target.password }),
  ...(target.tls && { tls: {} }),
})

const connectServer = (target: RedisTarget, retryDelay: RetryDelay): Redis => {
  const options = { ...commonOptions(target), db: target.db, enableOfflineQueue: false, retryStrategy: retryDelay }
  if (target.path !== undefined) return new Redis({ ...options, path: target.path })
  if (target.kind === 'single') return new Redis({ ...options, ...target.nodes[0] })
  return new Redis({
    ...options,
    sentinels: [...target.nodes],
    name: target.name ?? '',
    sentinelRetryStrategy: retryDelay,
    sentinelCommandTimeout: silenceMaxMsOf(target),
  })
}

/**
 * A client that reconnects forever. It refuses commands while disconnected, and gives up on a peer that is silent for longer than the
 * target allows.
 */
export const connectRedis = (target: RedisTarget, retryDelay: RetryDelay): RedisClient => {
  if (target.kind !== 'cluster') return connectServer(target, retryDelay)
  return new Cluster([...target.nodes], {
    // Limits a command that is redirected between nodes. On one connection, the limit of silence is enough and needs no timer per
    // command.
    redisOptions: { ...commonOptions(target), commandTimeout: silenceMaxMsOf(target) },
    enableOfflineQueue: false,
    clusterRetryStrategy: retryDelay,
    slotsRefreshTimeout: silenceMaxMsOf(target),
    // Five times 100 ms: enough to follow a failover or a moved slot, but not to wait for a dead node.
    maxRedirections: 5,
    // Certificates are issued for names, so names must reach the TLS layer.
    ...(target.tls && { dnsLookup: (address, callback) => callback(null, address) }),
  })
}

/**
 * A client for subscriptions, next to `client`. A cluster passes messages on to all of its nodes, so it uses any known node, and the
 * next one if that is lost. (The subscriber of ioredis's Cluster has no time limits, and leaks listeners while the cluster is away.)
 */
export const connectSubscriber = (target: RedisTarget, client: RedisClient, retryDelay: RetryDelay): Redis => {
  if (!(client instanceof Cluster)) return connectServer(target, retryDelay)
  const known = () => {
    const nodes = client.nodes().flatMap(({ options: { host, port } }) => (host && port ? { host, port } : []))
    return nodes.length > 0 ? nodes : target.nodes
  }
  const subscriber = new Redis({
    ...commonOptions(target),
    ...known()[0],
    enableOfflineQueue: false,
    retryStrategy: (attempt) => {
      const nodes = known()
      Object.assign(subscriber.options, nodes[attempt % nodes.length])
      return retryDelay(attempt)
    },
  })
  return subscriber
}
