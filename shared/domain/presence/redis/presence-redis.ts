import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import { nodesInOrder, playersInOrder } from '../in-order.ts'
import { parseNodeRecord } from '../node-record.ts'
import { type Presence, presenceTtlMs } from '../presence.ts'
import { createPresenceKeys } from './presence-redis-keys.ts'
import { createRedisNodePresence } from './presence-redis-node.ts'

/** Removes a node from the list unless it has renewed since it was read. */
const forgetScript =
  "if redis.call('hget', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('hdel', KEYS[1], ARGV[1]) end return 0"

/**
 * Presence for several processes. One hash lists the nodes. Each node has a record and a hash of players, which expire by the clock of
 * Redis. Needs Redis 6.2 or newer, single, behind sentinels or a cluster. `close` does not close the connection.
 */
export const createRedisPresence = ({
  redis,
  ttlMs = presenceTtlMs,
}: {
  readonly redis: RedisConnection
  readonly ttlMs?: number
}): Presence => {
  const keys = createPresenceKeys(redis.prefix)

  const listLive = async () => {
    const listed = Object.entries(await redis.ask((client) => client.hgetall(keys.nodes)))
    // One by one: nodes are in different slots.
    const texts = await redis.ask((client) => Promise.all(listed.map(([nodeId]) => client.get(keys.record(nodeId)))))
    const nodes = listed.map(([nodeId, word], at) => ({ nodeId, word, text: texts[at] ?? undefined }))
    const dead = nodes.filter(({ text }) => text === undefined)
    if (dead.length > 0)
      await redis.ask((client) =>
        Promise.all(dead.map(({ nodeId, word }) => client.eval(forgetScript, 1, keys.nodes, nodeId, word))),
      )
    return nodes.flatMap(({ nodeId, text }) => (text === undefined ? [] : [{ nodeId, ...parseNodeRecord(text) }]))
  }

  const listFull = async () => (await listLive()).filter(({ connected }) => connected > 0)

  return {
    openNode: (nodeId) => createRedisNodePresence({ redis, keys, nodeId, ttlMs }),
    countConnected: async () => (await listLive()).reduce((sum, { connected }) => sum + connected, 0),
    listConnected: async () => {
      const full = await listFull()
      const lists = await redis.ask((client) => Promise.all(full.map(({ nodeId }) => client.hkeys(keys.players(nodeId)))))
      return new Set(lists.flat())
    },
    listNodes: async () =>
      nodesInOrder(
        (await listLive()).flatMap(({ nodeId, connected, facts }) =>
          facts === undefined ? [] : [{ nodeId, ...facts, sessions: connected }],
        ),
      ),
    listPlayers: async () => {
      const full = await listFull()
      const lists = await redis.ask((client) => Promise.all(full.map(({ nodeId }) => client.hgetall(keys.players(nodeId)))))
      return playersInOrder(
        full.flatMap(({ nodeId }, at) =>
          Object.entries(lists[at] ?? {}).map(([playerId, displayName]) => ({ playerId, displayName, nodeId })),
        ),
      )
    },
    close: async () => undefined,
  }
}
