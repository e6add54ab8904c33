import { Cluster, Redis } from 'ioredis'
import type { RedisTarget } from './redis-url.ts'

export type RedisClient = Redis | Cluster

/** Milliseconds to wait before the nth attempt to connect again, n from 1. */
type RetryDelay = (attempt: number) => number

const silenceMaxMsOf = ({ patienceMs = 1000 }: RedisTarget): number => patienceMs

const commonOptions = (target: RedisTarget) => ({
  connectionName: 'gatehouse',
  connectTimeout: silenceMaxMsOf(target),
  // A peer that vanished without a word is noticed by its silence, and the connection made again.
  socketTimeout: silenceMaxMsOf(target),
  disconnectTimeout: 250,
  maxLoadingRetryTime: 250,
  // What was in flight fails at once: repeating a command that may have been done is the caller's decision.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // After a failover, a connection that is still open leads to a replica: the address leads to the primary by then.
  reconnectOnError: ({ message }: Error) => message.includes('READONLY'),
  // The event bus subscribes again by itself: ioredis leaves a failure of its own attempt unhandled.
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
 * A client that tries for ever to be connected. It refuses commands while it is not, and gives up on a peer that is silent for as
 * long as the target says.
 */
export const connectRedis = (target: RedisTarget, retryDelay: RetryDelay): RedisClient => {
  if (target.kind !== 'cluster') return connectServer(target, retryDelay)
  return new Cluster([...target.nodes], {
    // Bounds a command that is sent from node to node; on one connection the silence is bound enough, without a timer a command.
    redisOptions: { ...commonOptions(target), commandTimeout: silenceMaxMsOf(target) },
    enableOfflineQueue: false,
    clusterRetryStrategy: retryDelay,
    slotsRefreshTimeout: silenceMaxMsOf(target),
    // Five times 100 ms: a failover or a moved slot is followed, a dead node is not waited for.
    maxRedirections: 5,
    // Certificates are made out to names, so names must reach the TLS layer.
    ...(target.tls && { dnsLookup: (address, callback) => callback(null, address) }),
  })
}

/**
 * A client to subscribe with, beside `client`. A cluster passes messages on to all of its nodes, so one of them will do: the next
 * one known when that is lost. (The subscriber inside of ioredis's Cluster has no time limits, and gathers listeners while the
 * cluster is away.)
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
