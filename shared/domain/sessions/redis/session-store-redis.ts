import { AppError } from '../../../kernel/errors.ts'
import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import { leaseLost } from '../../worlds/store/chunk-store-rules.ts'
import { formatKeptSession, type KeptSession, parseKeptSession, type SessionStore, type WorldSessions } from '../session-store.ts'

/** The number of sessions in one command: about 100 KiB, well below the stack limit of a script. */
const batchSize = 500

/** Fields of the hash that are not players: the fence of the writer, and its last revision. */
const fenceField = '#fence'
const revisionField = '#revision'

const isOvertaken = `local fence = redis.call('hget', KEYS[1], '${fenceField}')
if fence and tonumber(fence) > tonumber(ARGV[1]) then return false end
`

/** ARGV: fence, time to live of a new hash. Returns the hash, or nothing if a higher fence took over. */
const takeScript = `${isOvertaken}
redis.call('hset', KEYS[1], '${fenceField}', ARGV[1])
if not fence then redis.call('pexpire', KEYS[1], ARGV[2]) end
return redis.call('hgetall', KEYS[1])`
const emptyTtlMs = 60_000

/**
 * ARGV: fence, new revision, time to live in milliseconds, number of sessions, player and text of each, players to delete.
 * Returns the previous revision, or nothing if a higher fence took over.
 */
const writeScript = `${isOvertaken}
local before = redis.call('hget', KEYS[1], '${revisionField}') or ''
redis.call('hset', KEYS[1], '${fenceField}', ARGV[1], '${revisionField}', ARGV[2])
local last = 4 + 2 * tonumber(ARGV[4])
for at = 5, last, 2 do redis.call('hset', KEYS[1], ARGV[at], ARGV[at + 1]) end
for at = last + 1, #ARGV do redis.call('hdel', KEYS[1], ARGV[at]) end
redis.call('pexpire', KEYS[1], ARGV[3])
return before`

/**
 * Collects sessions in KEYS[2]. ARGV: fence, time to live, `1` to start over, player and text of each. Returns nothing if a higher
 * fence took over.
 */
const asideScript = `${isOvertaken}
if ARGV[3] == '1' then redis.call('del', KEYS[2]) end
redis.call('hset', KEYS[2], '${fenceField}', ARGV[1])
for at = 4, #ARGV, 2 do redis.call('hset', KEYS[2], ARGV[at], ARGV[at + 1]) end
redis.call('pexpire', KEYS[2], ARGV[2])
return 1`

/**
 * Replaces all sessions with the collected ones. ARGV: fence, new revision, time to live, expected number of sessions.
 * Returns 1, 0 if some are missing, or nothing if a higher fence took over.
 */
const swapScript = `${isOvertaken}
if redis.call('hlen', KEYS[2]) ~= tonumber(ARGV[4]) + 1 then return 0 end
redis.call('hset', KEYS[2], '${revisionField}', ARGV[2])
redis.call('rename', KEYS[2], KEYS[1])
redis.call('pexpire', KEYS[1], ARGV[3])
return 1`
const asideTtlMs = 10_000

const forgotten = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'Redis lost sessions while they were being written. Try again.')

type Batch = { readonly kept: readonly KeptSession[]; readonly ended: readonly string[] }

function* inBatches<T>(all: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = []
  for (const one of all) {
    if (batch.push(one) < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const textsOf = (kept: readonly KeptSession[]): readonly string[] =>
  kept.flatMap((session) => [session.playerId, formatKeptSession(session)])

const listEntries = (flat: readonly unknown[]): KeptSession[] => {
  const entries: KeptSession[] = []
  for (let at = 0; at < flat.length; at += 2) {
    const session = parseKeptSession(String(flat[at]), String(flat[at + 1]))
    if (session !== undefined) entries.push(session)
  }
  return entries
}

/**
 * One hash for each world, which expires by the clock of Redis. Each script checks the fence and writes the revision. The fence stops
 * late writes of an earlier holder. The revision shows that Redis lost data.
 * Needs Redis 6.2 or newer, single, behind sentinels or a cluster. `close` does not close the connection.
 */
export const createRedisSessionStore = ({ redis }: { readonly redis: RedisConnection }): SessionStore => {
  const openWorld = (worldId: string, fence: number): WorldSessions => {
    const key = `${redis.prefix}sessions:{${worldId}}`
    const asideKey = `${key}:aside`
    let revision = 0
    /** The revision in Redis; undefined if unknown. */
    let writtenRevision: string | undefined

    const nextRevision = (): string => {
      // The state after a failure is unknown.
      writtenRevision = undefined
      revision += 1
      return `${fence}.${revision}`
    }

    /** Returns whether Redis still had the previous write. */
    const writeBatch = async ({ kept, ended }: Batch, ttlMs: number): Promise<boolean> => {
      const expected = writtenRevision
      const next = nextRevision()
      const before = await redis.ask((client) =>
        client.eval(writeScript, 1, key, fence, next, ttlMs, kept.length, ...textsOf(kept), ...ended),
      )
      if (before === null) throw leaseLost()
      if (before !== expected) return false
      writtenRevision = next
      return true
    }

    const layAside = async (kept: readonly KeptSession[], isFirst: boolean): Promise<void> => {
      const args = [fence, asideTtlMs, isFirst ? 1 : 0, ...textsOf(kept)]
      if ((await redis.ask((client) => client.eval(asideScript, 2, key, asideKey, ...args))) === null) throw leaseLost()
    }

    return {
      take: async () => {
        const flat = await redis.ask((client) => client.eval(takeScript, 1, key, fence, emptyTtlMs))
        if (!Array.isArray(flat)) throw leaseLost()
        return listEntries(flat)
      },
      write: async ({ kept, ended }, ttlMs) => {
        const batches = [
          ...Array.from(inBatches(ended), (some) => ({ kept: [], ended: some })),
          ...Array.from(inBatches(kept), (some) => ({ kept: some, ended: [] })),
        ]
        for (const batch of batches.length > 0 ? batches : [{ kept: [], ended: [] }])
          if (!(await writeBatch(batch, ttlMs))) return false
        return true
      },
      // A node that takes over during this finds the previous sessions.
      writeAll: async (sessions, ttlMs) => {
        const next = nextRevision()
        const players = new Set<string>()
        await layAside([], true)
        for (const kept of inBatches(sessions)) {
          await layAside(kept, false)
          for (const { playerId } of kept) players.add(playerId)
        }
        const args = [fence, next, ttlMs, players.size]
        const swapped = await redis.ask((client) => client.eval(swapScript, 2, key, asideKey, ...args))
        if (swapped === null) throw leaseLost()
        if (swapped !== 1) throw forgotten()
        writtenRevision = next
      },
    }
  }
  return { openWorld, close: async () => undefined }
}
