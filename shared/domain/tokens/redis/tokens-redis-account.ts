import type { Clock } from '../../../kernel/clock.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import { type TokenGrant, tokenTtlSeconds } from '../tokens.ts'

/** The allowed difference between the clocks of two processes, plus the time that an issue may take. */
const slackMs = 60_000
const keptMs = tokenTtlSeconds * 1000 + slackMs

/**
 * The revocations of an account. `epoch` changes with each revocation of the whole account, `isSpared` says whether that spared the
 * sign-in, `isOver` whether the sign-in has ended.
 */
type AccountState = { readonly epoch: string | null; readonly isSpared: boolean; readonly isOver: boolean }

type IndexedToken = { readonly signInId: string; readonly hash: string }

const parseMember = (member: string): IndexedToken => {
  const at = member.lastIndexOf(' ')
  return { signInId: member.slice(0, at), hash: member.slice(at + 1) }
}
const formatMember = ({ signInId, hash }: IndexedToken) => `${signInId} ${hash}`

/**
 * The data of accounts in Redis: an index of tokens, the epoch, and ended sign-ins. All keys of an account hash to one slot of a
 * cluster.
 */
export const createRedisTokenAccounts = ({
  redis,
  clock,
  ids,
}: {
  readonly redis: RedisConnection
  readonly clock: Clock
  readonly ids: Ids
}) => {
  const accountKey = (playerId: string, rest: string) => `${redis.prefix}account:{${playerId}}:${rest}`
  const tokensKey = (playerId: string) => accountKey(playerId, 'tokens')
  const epochKey = (playerId: string) => accountKey(playerId, 'epoch')
  const endedKey = (playerId: string, signInId: string) => accountKey(playerId, `ended:${signInId}`)

  return {
    readState: async ({ playerId, signInId, signedInAt }: TokenGrant): Promise<AccountState> => {
      const [epoch = null, ended = null] = await redis.ask((client) =>
        client.mget(epochKey(playerId), endedKey(playerId, signInId)),
      )
      const isSpared = epoch !== null && epoch.split(' ')[2] === signInId
      const isBefore = epoch !== null && signedInAt < Number.parseInt(epoch, 10)
      return { epoch, isSpared, isOver: ended !== null || (isBefore && !isSpared) }
    },
    add: async (playerId: string, token: IndexedToken, expiresAt: number): Promise<void> => {
      const key = tokensKey(playerId)
      await redis.ask((client) =>
        Promise.all([
          client.zadd(key, String(expiresAt), formatMember(token)),
          client.zremrangebyscore(key, '-inf', clock.now() - slackMs),
          client.pexpire(key, keptMs),
        ]),
      )
    },
    list: async (playerId: string): Promise<readonly IndexedToken[]> =>
      (await redis.ask((client) => client.zrange(tokensKey(playerId), '0', '-1'))).map(parseMember),
    remove: async (playerId: string, tokens: readonly IndexedToken[]): Promise<void> => {
      if (tokens.length > 0) await redis.ask((client) => client.zrem(tokensKey(playerId), ...tokens.map(formatMember)))
    },
    endSignIn: async (playerId: string, signInId: string): Promise<void> => {
      await redis.ask((client) => client.set(endedKey(playerId, signInId), '1', 'PX', keptMs))
    },
    /** Ends all sign-ins older than `at`, except `exceptSignInId`. The middle of the value makes it unique. */
    changeEpoch: async (playerId: string, at: number, exceptSignInId = ''): Promise<void> => {
      await redis.ask((client) => client.set(epochKey(playerId), `${at} ${ids.uuid()} ${exceptSignInId}`.trim(), 'PX', keptMs))
    },
  }
}
