import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../kernel/ids.ts'
import { isRevokedBy, type Revocation, type TokenGrant, type TokenRecord, type TokenStore, tokenTtlSeconds } from './tokens.ts'

type Expiring = { readonly expiresAt: number }

type ExpiringMap<V extends Expiring> = {
  /** The entry while it lives: `expiresAt`, in milliseconds since the epoch, is the first moment at which it does not. */
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  /** Live entries, the longest untouched first. */
  values(): Iterable<V>
  /** All entries held, the ended ones not yet swept included. */
  readonly size: number
}

/**
 * A map whose entries end by `clock`. Each write also looks at two entries and drops those that ended. So it holds little more than what
 * lives, without ever pausing for a sweep.
 */
export const createExpiringMap = <V extends Expiring>(clock: Clock): ExpiringMap<V> => {
  const entries = new Map<string, V>()
  const isAlive = ({ expiresAt }: Expiring) => expiresAt > clock.now()
  let sweep = entries.entries()

  const sweepTwo = () => {
    for (let looked = 0; looked < 2; looked++) {
      const next = sweep.next()
      if (next.done) {
        sweep = entries.entries()
        return
      }
      if (!isAlive(next.value[1])) entries.delete(next.value[0])
    }
  }

  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry !== undefined && isAlive(entry) ? entry : undefined
    },
    set: (key, value) => {
      sweepTwo()
      entries.delete(key)
      entries.set(key, value)
    },
    delete: (key) => {
      entries.delete(key)
    },
    *values() {
      for (const entry of entries.values()) if (isAlive(entry)) yield entry
    },
    get size() {
      return entries.size
    },
  }
}

const tokenTtlMs = tokenTtlSeconds * 1000

type AccountTokens = { readonly expiresAt: number; readonly records: Map<string, TokenRecord> }

const revocationKey = (playerId: string, signInId?: string) => JSON.stringify([playerId, signInId ?? null])

/** Tokens of a server that is one process, and end with it. Expiry is exact by `clock`; memory is bounded by what lives. */
export const createMemoryTokenStore = ({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): TokenStore => {
  const tokens = createExpiringMap<TokenRecord>(clock)
  const accounts = createExpiringMap<AccountTokens>(clock)
  const revocations = createExpiringMap<Revocation & { readonly expiresAt: number }>(clock)
  const secrets = createExpiringMap<{ readonly value: string; readonly expiresAt: number }>(clock)

  const endedSignIns = createExpiringMap<{ readonly expiresAt: number }>(clock)

  /** A renewal may have found its token just before the revocation: what descends from an ended sign-in is refused. */
  const isRevoked = (grant: TokenGrant): boolean => {
    const { playerId, signInId } = grant
    const ofAccount = revocations.get(revocationKey(playerId))
    return (
      endedSignIns.get(revocationKey(playerId, signInId)) !== undefined ||
      (ofAccount !== undefined && isRevokedBy(ofAccount, grant))
    )
  }

  const remember = (hash: string, record: TokenRecord) => {
    const held = accounts.get(record.playerId)?.records ?? new Map<string, TokenRecord>()
    for (const [other, { expiresAt }] of held) if (expiresAt <= clock.now()) held.delete(other)
    held.set(hash, record)
    accounts.set(record.playerId, { expiresAt: record.expiresAt, records: held })
    tokens.set(hash, record)
  }

  const end = (playerId: string, of: Pick<Revocation, 'signInId' | 'exceptSignInId'>) => {
    const { signInId, exceptSignInId } = of
    const at = clock.now()
    const expiresAt = at + tokenTtlMs
    revocations.set(revocationKey(playerId, signInId), { playerId, ...of, at, expiresAt })
    const held = accounts.get(playerId)?.records ?? new Map<string, TokenRecord>()
    for (const [hash, record] of held) {
      if ((signInId !== undefined && record.signInId !== signInId) || record.signInId === exceptSignInId) continue
      endedSignIns.set(revocationKey(playerId, record.signInId), { expiresAt })
      held.delete(hash)
      tokens.delete(hash)
    }
  }

  return {
    issue: async (grant) => {
      if (isRevoked(grant)) throw new AppError('unauthenticated', 'invalid-token', 'The sign-in was ended; sign in again.')
      const token = ids.uuid()
      const { playerId, verified, signInId, signedInAt } = grant
      remember(hashSecret(token), { playerId, verified, signInId, signedInAt, expiresAt: clock.now() + tokenTtlMs })
      return token
    },
    find: async (token) => tokens.get(hashSecret(token)),
    revoke: async (token) => {
      const record = tokens.get(hashSecret(token))
      if (record !== undefined) end(record.playerId, { signInId: record.signInId })
      return record
    },
    revokeAccount: async (playerId, exceptSignInId) => end(playerId, exceptSignInId === undefined ? {} : { exceptSignInId }),
    revokedSince: async (sinceMs) =>
      [...revocations.values()]
        .filter(({ at }) => at >= sinceMs)
        .sort((one, other) => one.at - other.at)
        .map(({ expiresAt: _, ...revocation }) => revocation),
    putOnce: async (key, value, ttlSeconds) =>
      secrets.set(hashSecret(key), { value, expiresAt: clock.now() + ttlSeconds * 1000 }),
    findOnce: async (key) => secrets.get(hashSecret(key))?.value,
    takeOnce: async (key) => {
      const hash = hashSecret(key)
      const value = secrets.get(hash)?.value
      secrets.delete(hash)
      return value
    },
    ping: async () => undefined,
    close: async () => undefined,
  }
}
