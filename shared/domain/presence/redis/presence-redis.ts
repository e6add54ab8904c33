import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import { nodesInOrder, playersInOrder } from '../in-order.ts'
import { formatNodeRecord, parseNodeRecord } from '../node-directory.ts'
import { type NodeFacts, type NodePresence, type Presence, presenceTtlMs } from '../presence.ts'

/** The keys of presence in Redis. The two keys of a node hash to one slot of a cluster. */
type PresenceKeys = {
  /** A hash: by node, the record that it wrote last. */
  readonly nodes: string
  /** The record of a node, from `formatNodeRecord`. */
  record(nodeId: string): string
  /** A hash: by player id, the display name. */
  players(nodeId: string): string
}

const createPresenceKeys = (prefix: string): PresenceKeys => ({
  nodes: `${prefix}presence:nodes`,
  record: (nodeId) => `${prefix}presence:{${nodeId}}:node`,
  players: (nodeId) => `${prefix}presence:{${nodeId}}:names`,
})

/** The number of players in one command. A longer list of arguments would strain the stack. */
const batchSize = 1000

const inBatches = <T>(some: Iterable<T>): T[][] => {
  const all = [...some]
  return Array.from({ length: Math.ceil(all.length / batchSize) }, (_, at) => all.slice(at * batchSize, (at + 1) * batchSize))
}

type Update = {
  readonly record: string
  readonly whole: boolean
  readonly entered: ReadonlyMap<string, string>
  readonly left: ReadonlySet<string>
}

/**
 * One node in Redis. It writes changes, and reads in the same step what it wrote last. If that expired or was lost, it writes
 * everything.
 */
const createRedisNodePresence = ({
  redis,
  keys,
  nodeId,
  ttlMs,
}: {
  readonly redis: RedisConnection
  readonly keys: PresenceKeys
  readonly nodeId: string
  readonly ttlMs: number
}): NodePresence => {
  const recordKey = keys.record(nodeId)
  const playersKey = keys.players(nodeId)
  const connected = new Map<string, string>()
  let entered = new Map<string, string>()
  let left = new Set<string>()
  let facts: NodeFacts | undefined
  let revision = 0
  /** The record in Redis; undefined if unknown. */
  let writtenRecord: string | undefined

  /** Returns the previous record and the number of players. */
  const write = ({ record, whole, entered, left }: Update) =>
    redis.ask(async (client) => {
      const steps = client.multi().get(recordKey)
      if (whole) steps.del(playersKey)
      for (const ids of inBatches(left)) steps.hdel(playersKey, ...ids)
      for (const players of inBatches(entered)) steps.hset(playersKey, Object.fromEntries(players))
      const results = await steps.set(recordKey, record, 'PX', ttlMs).pexpire(playersKey, ttlMs).hlen(playersKey).exec()
      for (const [error] of results ?? []) if (error) throw error
      return { found: results?.[0]?.[1], players: results?.at(-1)?.[1] }
    })

  const tell = async (whole: boolean): Promise<string | undefined> => {
    revision += 1
    const count = connected.size
    const record = formatNodeRecord({ revision, connected: count, facts })
    const update = whole ? { entered: new Map(connected), left: new Set<string>() } : { entered, left }
    entered = new Map()
    left = new Set()
    const before = writtenRecord
    // The state after a failure is unknown.
    writtenRecord = undefined
    const { found, players } = await write({ record, whole, ...update })
    if (whole || (found === before && players === count)) writtenRecord = record
    return writtenRecord
  }

  return {
    describe: (now) => {
      facts = now
    },
    enter: (playerId, displayName) => {
      connected.set(playerId, displayName)
      entered.set(playerId, displayName)
      left.delete(playerId)
    },
    leave: (playerId) => {
      connected.delete(playerId)
      left.add(playerId)
      entered.delete(playerId)
    },
    renew: async () => {
      const record = (await tell(writtenRecord === undefined)) ?? (await tell(true)) ?? ''
      // After the record: a listed node without a record counts as dead.
      await redis.ask((client) => client.hset(keys.nodes, nodeId, record))
    },
    close: async () => {
      writtenRecord = undefined
      await redis.ask((client) => Promise.all([client.del(recordKey, playersKey), client.hdel(keys.nodes, nodeId)]))
    },
  }
}

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
