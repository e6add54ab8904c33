import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createRedisNodeReports } from '../../../shared/domain/node-reports/redis/node-reports-redis.ts'
import { createRedisPresence } from '../../../shared/domain/presence/redis/presence-redis.ts'
import { createRedisWhereabouts } from '../../../shared/domain/presence/redis/whereabouts-redis.ts'
import { createRedisTokenStore } from '../../../shared/domain/tokens/redis/tokens-redis.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createRedisEventBus } from '../../../shared/platform/events/redis/redis-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { RedisConnection } from '../../../shared/platform/storage/redis/redis.ts'
import { connectPatiently } from '../redis/patient-redis.ts'
import { createRedisPrefix } from '../redis/redis-prefix.ts'
import { silentLog } from '../time/silent-log.ts'
import { waitFor } from '../time/wait-for.ts'
import { type RealtimeNode, startRealtimeNode } from './realtime-node.ts'

/** Real-time nodes of one game, each with its own connections to one Redis, and one shared store of accounts and records. */
export const startLinkedNodes = async (
  url: string,
  worlds: readonly string[],
  options: Parameters<typeof startRealtimeNode>[0] = {},
) => {
  const prefix = createRedisPrefix()
  const store = createMemoryStore()
  const accountStore = createMemoryAccountStore({ isAdministrator: () => false, audit: createStoreAuditLog(store) })
  const connections: RedisConnection[] = []
  const connect = (): RedisConnection => {
    const redis = connectPatiently(url, { prefix })
    connections.push(redis)
    return redis
  }
  const startNode = async (tellsWorld: string): Promise<RealtimeNode> => {
    const redis = connect()
    const shared = {
      accountStore,
      store,
      tokens: createRedisTokenStore({ redis, clock: systemClock, ids: systemIds }),
      events: createRedisEventBus({ redis, log: silentLog }),
      presence: createRedisPresence({ redis }),
      whereabouts: createRedisWhereabouts({ redis }),
      nodeReports: createRedisNodeReports({ redis }),
    }
    return startRealtimeNode({ ...options, shared, tellsWorld })
  }
  const nodes = await Promise.all(worlds.map(startNode))
  const redis = connect()
  // On a busy machine the first attempt to find a cluster's slots may time out.
  const isReady = (connection: RedisConnection) =>
    connection
      .ask((client) => client.ping())
      .then(
        () => true,
        () => false,
      )
  for (const connection of connections) await waitFor(() => isReady(connection))

  return {
    nodes,
    redis,
    /** Ends a node's connection to Redis for good; it still receives events. */
    cutOff: (at: number): void => connections[at]?.client.disconnect(),
    /** Publishes a text unchanged. */
    publishRaw: (topic: string, text: string) => redis.ask((client) => client.publish(`${prefix}event:${topic}`, text)),
    /** Resolves when every node sees the given number of players on others. */
    seeEachOther: (playersElsewhere: readonly number[]) =>
      waitFor(async () => {
        const seen = await Promise.all(nodes.map(async ({ link }) => (await link.elsewhere.listPlayers()).length))
        return seen.every((count, at) => count === playersElsewhere[at])
      }),
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()))
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}

export type LinkedNodes = Awaited<ReturnType<typeof startLinkedNodes>>
