import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import type { Entry, Whereabouts } from '../whereabouts.ts'

/** The number of players in one script, so that it blocks Redis for less than a millisecond. */
const batchSize = 250

/** All entries expire if no node renews for this time. */
const keptMs = 86_400_000

/**
 * `ARGV` is the node, the time to live, and the players. Returns `at` of each: microseconds by the clock of Redis, and always more than
 * the previous value.
 */
const enterScript = `
local now = redis.call('time')
local micros = now[1] * 1000000 + now[2]
local entered = {}
for i = 3, #ARGV do
  local known = redis.call('hget', KEYS[1], ARGV[i])
  local at = micros
  if known then at = math.max(at, (tonumber(string.match(known, '^%d+')) or 0) + 1) end
  local text = string.format('%.0f', at)
  redis.call('hset', KEYS[1], ARGV[i], text .. ' ' .. ARGV[1])
  entered[#entered + 1] = text
end
redis.call('pexpire', KEYS[1], ARGV[2])
return entered`

const leaveScript = `
for i = 2, #ARGV do
  local known = redis.call('hget', KEYS[1], ARGV[i])
  if known and string.match(known, ' ~?(.*)$') == ARGV[1] then redis.call('hdel', KEYS[1], ARGV[i]) end
end`

/**
 * `ARGV` is the time to live, then pairs of a player and the entry that the node knows. Returns pairs of a player and a newer entry.
 */
const renewScript = `
local newer = {}
for i = 2, #ARGV, 2 do
  local known = redis.call('hget', KEYS[1], ARGV[i])
  local at = known and tonumber(string.match(known, '^%d+')) or 0
  if at > tonumber(string.match(ARGV[i + 1], '^%d+')) then
    newer[#newer + 1] = ARGV[i]
    newer[#newer + 1] = known
  elseif known ~= ARGV[i + 1] then redis.call('hset', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
redis.call('pexpire', KEYS[1], ARGV[1])
return newer`

const inBatches = <T>(all: readonly T[]): (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / batchSize) }, (_, at) => all.slice(at * batchSize, (at + 1) * batchSize))

const toTexts = (reply: unknown): string[] =>
  Array.isArray(reply) ? reply.map((part: unknown) => (typeof part === 'string' ? part : '')) : []

/** The stored form of a node: with a tilde before it if the sign-in is unverified. */
const markNode = (nodeId: string, isUnverified: boolean): string => `${isUnverified ? '~' : ''}${nodeId}`

/** Parses a stored entry; undefined for an invalid text. */
const parseEntry = (playerId: string, text: string): Entry | undefined => {
  const [, digits, mark, nodeId] = /^(\d{1,16}) (~?)(.+)$/.exec(text) ?? []
  if (digits === undefined || nodeId === undefined) return undefined
  return { playerId, nodeId, at: Number(digits), ...(mark === '~' && { unverified: true }) }
}

/**
 * Whereabouts for several nodes: a hash in Redis, by player. Needs Redis 6.2 or newer, single, behind sentinels or a cluster. `close`
 * does not close the connection.
 */
export const createRedisWhereabouts = ({ redis }: { readonly redis: RedisConnection }): Whereabouts => {
  const key = `${redis.prefix}whereabouts`
  const run = (script: string, args: readonly (string | number)[]) =>
    redis.ask(async (client) => toTexts(await client.eval(script, 1, key, ...args)))

  return {
    enter: async (nodeId, playerIds, unverified) => {
      const ats = new Map<string, number>()
      for (const isUnverified of [false, true]) {
        const group = playerIds.filter((playerId) => (unverified?.has(playerId) ?? false) === isUnverified)
        for (const batch of inBatches(group)) {
          const texts = await run(enterScript, [markNode(nodeId, isUnverified), keptMs, ...batch])
          for (const [at, playerId] of batch.entries()) ats.set(playerId, Number(texts[at]))
        }
      }
      return playerIds.map((playerId): Entry => {
        const at = ats.get(playerId) ?? 0
        return { playerId, nodeId, at, ...(unverified?.has(playerId) && { unverified: true }) }
      })
    },
    leave: async (nodeId, playerIds) => {
      for (const batch of inBatches(playerIds)) await run(leaveScript, [nodeId, ...batch])
    },
    renew: async (known) => {
      const newer: Entry[] = []
      for (const batch of inBatches(known)) {
        const pairs = batch.flatMap(({ playerId, nodeId, at, unverified = false }) => [
          playerId,
          `${at} ${markNode(nodeId, unverified)}`,
        ])
        const texts = await run(renewScript, [keptMs, ...pairs])
        for (let at = 0; at < texts.length; at += 2) {
          const entry = parseEntry(texts[at] ?? '', texts[at + 1] ?? '')
          if (entry !== undefined) newer.push(entry)
        }
      }
      return newer
    },
  }
}
