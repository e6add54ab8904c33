import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import { formatNodeRecord } from '../node-record.ts'
import type { NodeFacts, NodePresence } from '../presence.ts'
import type { PresenceKeys } from './presence-redis-keys.ts'

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
export const createRedisNodePresence = ({
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
