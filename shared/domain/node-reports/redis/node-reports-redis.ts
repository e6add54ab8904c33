import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import { type NodeReports, reportKinds, reportsInOrder } from '../node-reports.ts'

/** `ARGV` is the node, the time to live, and the text. The value starts with the time in milliseconds by the clock of Redis. */
const tellScript = `
local now = redis.call('time')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('hset', KEYS[1], ARGV[1], string.format('%.0f ', ms) .. ARGV[3])
redis.call('pexpire', KEYS[1], ARGV[2])`

/** `ARGV` is the time to live. Returns pairs of a node and its text, and deletes expired ones. */
const listScript = `
local now = redis.call('time')
local oldest = now[1] * 1000 + math.floor(now[2] / 1000) - ARGV[1]
local fresh = {}
local all = redis.call('hgetall', KEYS[1])
for i = 1, #all, 2 do
  local at = tonumber(string.match(all[i + 1], '^%d+')) or 0
  if at > oldest then
    fresh[#fresh + 1] = all[i]
    fresh[#fresh + 1] = string.sub(all[i + 1], string.find(all[i + 1], ' ', 1, true) + 1)
  else redis.call('hdel', KEYS[1], all[i]) end
end
return fresh`

/**
 * Reports for several processes: a hash in Redis for each kind, by node. Needs Redis 6.2 or newer, single, behind sentinels or a
 * cluster. `close` does not close the connection.
 */
export const createRedisNodeReports = ({ redis }: { readonly redis: RedisConnection }): NodeReports => {
  const keyOf = (kind: string): string => `${redis.prefix}reports:${kind}`
  return {
    tell: async (kind, nodeId, text) => {
      await redis.ask((client) => client.eval(tellScript, 1, keyOf(kind), nodeId, reportKinds[kind], text))
    },
    withdraw: async (kind, nodeId) => {
      await redis.ask((client) => client.hdel(keyOf(kind), nodeId))
    },
    list: async (kind) => {
      const reply: unknown = await redis.ask((client) => client.eval(listScript, 1, keyOf(kind), reportKinds[kind]))
      const parts: readonly unknown[] = Array.isArray(reply) ? reply : []
      const nodes = parts.filter((_, at) => at % 2 === 0)
      return reportsInOrder(nodes.map((nodeId, at) => ({ nodeId: String(nodeId), text: String(parts[2 * at + 1]) })))
    },
  }
}
