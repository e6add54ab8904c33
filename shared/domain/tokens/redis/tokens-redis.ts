import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../../kernel/ids.ts'
import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'
import {
  isLiveAt,
  isToken,
  type Revocation,
  type TokenGrant,
  type TokenRecord,
  type TokenStore,
  tokenTtlSeconds,
} from '../tokens.ts'
import { createRedisTokenAccounts } from './tokens-redis-account.ts'

/** Single-use secrets in Redis. The key is hashed, the value contains its end by `clock`, and GETDEL gives it to one caller only. */
const createRedisOnce = ({
  redis,
  clock,
}: {
  readonly redis: RedisConnection
  readonly clock: Clock
}): Pick<TokenStore, 'putOnce' | 'findOnce' | 'takeOnce'> => {
  const onceKey = (secret: string) => `${redis.prefix}once:${hashSecret(secret)}`
  const readStored = (stored: string | null): string | undefined => {
    const space = stored?.indexOf(' ') ?? -1
    return stored && Number(stored.slice(0, space)) > clock.now() ? stored.slice(space + 1) : undefined
  }
  return {
    putOnce: async (key, value, ttlSeconds) => {
      const ttlMs = Math.ceil(ttlSeconds * 1000)
      await redis.ask((client) => client.set(onceKey(key), `${clock.now() + ttlMs} ${value}`, 'PX', ttlMs))
    },
    findOnce: async (key) => readStored(await redis.ask((client) => client.get(onceKey(key)))),
    takeOnce: async (key) => readStored(await redis.ask((client) => client.getdel(onceKey(key)))),
  }
}

const tokenTtlMs = tokenTtlSeconds * 1000

const signInOver = () => new AppError('unauthenticated', 'invalid-token', 'Your sign-in has ended. Sign in again.')

/** A record as a short text: a JSON array that starts with the version of the format. */
const encodeTokenRecord = ({ playerId, verified, signInId, signedInAt, expiresAt }: TokenRecord): string =>
  JSON.stringify([1, playerId, verified, signInId, signedInAt, expiresAt])

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a stored text; undefined for any text that `encodeTokenRecord` did not write. */
const parseTokenRecord = (text: string): TokenRecord | undefined => {
  const stored = parseJson(text)
  if (!Array.isArray(stored) || stored.length !== 6) return undefined
  const [form, playerId, verified, signInId, signedInAt, expiresAt]: unknown[] = stored
  if (form !== 1 || typeof playerId !== 'string' || typeof verified !== 'boolean' || typeof signInId !== 'string')
    return undefined
  if (typeof signedInAt !== 'number' || typeof expiresAt !== 'number') return undefined
  return { playerId, verified, signInId, signedInAt, expiresAt }
}

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
const createRedisRevocations = ({ redis, clock }: { readonly redis: RedisConnection; readonly clock: Clock }) => {
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

/**
 * Tokens for several processes. Stored times are from `clock`, and Redis counts lifetimes (`PX`). Whichever ends first ends the token.
 * Needs Redis 6.2 or newer, single, behind sentinels or a cluster. `close` does not close the connection.
 */
export const createRedisTokenStore = (deps: {
  readonly redis: RedisConnection
  readonly clock: Clock
  readonly ids: Ids
}): TokenStore => {
  const { redis, clock, ids } = deps
  const accounts = createRedisTokenAccounts(deps)
  const revocations = createRedisRevocations(deps)
  const tokenKey = (hash: string) => `${redis.prefix}token:${hash}`

  const issue = async ({ playerId, verified, signInId, signedInAt }: TokenGrant): Promise<string> => {
    const grant = { playerId, verified, signInId, signedInAt }
    const before = await accounts.readState(grant)
    if (before.isOver) throw signInOver()
    const token = ids.uuid()
    const hash = hashSecret(token)
    const expiresAt = clock.now() + tokenTtlMs
    await accounts.add(playerId, { signInId, hash }, expiresAt)
    await redis.ask((client) => client.set(tokenKey(hash), encodeTokenRecord({ ...grant, expiresAt }), 'PX', tokenTtlMs))
    // A revocation that missed this token in the index changed the state before it read the index.
    const after = await accounts.readState(grant)
    if (!after.isOver && (after.epoch === before.epoch || after.isSpared)) return token
    await redis.ask((client) => client.del(tokenKey(hash)))
    throw signInOver()
  }

  const find = async (token: string): Promise<TokenRecord | undefined> => {
    if (!isToken(token)) return undefined
    const stored = await redis.ask((client) => client.get(tokenKey(hashSecret(token))))
    const record = stored === null ? undefined : parseTokenRecord(stored)
    return record !== undefined && isLiveAt(record, clock.now()) ? record : undefined
  }

  const deleteTokens = async (playerId: string, isMeant: (signInId: string) => boolean) => {
    const tokens = (await accounts.list(playerId)).filter(({ signInId }) => isMeant(signInId))
    for (const ended of new Set(tokens.map((token) => token.signInId))) await accounts.endSignIn(playerId, ended)
    // One by one: tokens of an account are in different slots.
    await redis.ask((client) => Promise.all(tokens.map(({ hash }) => client.del(tokenKey(hash)))))
    await accounts.remove(playerId, tokens)
  }

  const revokeAccount: TokenStore['revokeAccount'] = async (playerId, exceptSignInId) => {
    const at = clock.now()
    await revocations.add({ playerId, ...(exceptSignInId !== undefined && { exceptSignInId }), at })
    await accounts.changeEpoch(playerId, at, exceptSignInId)
    await deleteTokens(playerId, (signInId) => signInId !== exceptSignInId)
  }

  return {
    ...createRedisOnce(deps),
    issue,
    find,
    revoke: async (token) => {
      const record = await find(token)
      if (record === undefined) return undefined
      const { playerId, signInId } = record
      // Recorded first: if a later step fails, live sessions are closed rather than left open.
      await revocations.add({ playerId, signInId, at: clock.now() })
      await accounts.endSignIn(playerId, signInId)
      await deleteTokens(playerId, (other) => other === signInId)
      await redis.ask((client) => client.del(tokenKey(hashSecret(token))))
      return record
    },
    revokeSignIn: async ({ playerId, signInId }) => {
      await revocations.add({ playerId, signInId, at: clock.now() })
      await accounts.endSignIn(playerId, signInId)
    },
    revokeAccount,
    endAccount: (playerId) => revokeAccount(playerId),
    revokedSince: revocations.since,
    ping: async () => {
      // A replica and a full Redis answer PING, but store nothing.
      await redis.ask((client) => client.set(`${redis.prefix}ping`, '', 'PX', 1000))
    },
    close: async () => undefined,
  }
}
