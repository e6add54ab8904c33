import type { Clock } from '../../../kernel/clock.ts'
import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import { type Revocation, tokenTtlSeconds } from '../tokens.ts'

const keptMs = tokenTtlSeconds * 1000

const parseMember = (member: string | undefined, score: string | undefined): Revocation | undefined => {
  const stored: unknown = JSON.parse(member ?? 'null')
  const at = Number(score)
  if (!Array.isArray(stored) || Number.isNaN(at)) return undefined
  const [playerId, signInId, exceptSignInId]: unknown[] = stored
  if (typeof playerId !== 'string') return undefined
  if (typeof exceptSignInId === 'string') return { playerId, exceptSignInId, at }
  return typeof signInId === 'string' ? { playerId, signInId, at } : { playerId, at }
}

/** A process of an older version ignores the exception and ends that sign-in too. That is safe. */
const formatMember = ({ playerId, signInId, exceptSignInId }: Revocation): string => {
  if (exceptSignInId !== undefined) return JSON.stringify([playerId, null, exceptSignInId])
  return JSON.stringify(signInId === undefined ? [playerId] : [playerId, signInId])
}

/** The revocations of the last ten minutes, in one sorted set by their time on `clock`. */
export const createRedisRevocations = ({ redis, clock }: { readonly redis: RedisConnection; readonly clock: Clock }) => {
  const key = `${redis.prefix}revocations`
  return {
    add: async (revocation: Revocation): Promise<void> => {
      await redis.ask((client) =>
        Promise.all([
          client.zadd(key, 'GT', revocation.at, formatMember(revocation)),
          client.zremrangebyscore(key, '-inf', clock.now() - keptMs),
          client.pexpire(key, keptMs),
        ]),
      )
    },
    since: async (sinceMs: number): Promise<readonly Revocation[]> => {
      const oldestKept = clock.now() - keptMs
      const from = sinceMs > oldestKept ? sinceMs : `(${oldestKept}`
      const flat = await redis.ask((client) => client.zrangebyscore(key, from, '+inf', 'WITHSCORES'))
      return flat.flatMap((member, index) => (index % 2 === 0 ? (parseMember(member, flat[index + 1]) ?? []) : []))
    },
  }
}
