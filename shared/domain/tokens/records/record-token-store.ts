import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../../kernel/ids.ts'
import { letOthersWork } from '../../../kernel/turns.ts'
import { type Collection, putWrite, type Store, type StoredRecord, type Write } from '../../../platform/storage/store.ts'
import {
  type AccountState,
  accountStates,
  accountTokens,
  clockSlackMs,
  isLiveAt,
  isToken,
  onceRecords,
  type Revocation,
  revocationRecords,
  type TokenGrant,
  type TokenRecord,
  type TokenStore,
  tokenCollections,
  tokenRecords,
  tokenTtlSeconds,
} from '../tokens.ts'

const tokenTtlMs = tokenTtlSeconds * 1000
/** Longer than the lifetime of any token concerned. */
const keptMs = tokenTtlMs + 60_000
/** The time after which a cached record is read again, because the command line may have revoked it. */
const freshMs = 1_000
const cachedMax = 20_000
const attemptsMax = 20
const pageLimit = 200
const writesMax = 10

const digestOf = (name: string): string => hashSecret(name).slice(0, 32)
const noState: AccountState = { ended: {}, expiresAt: 0 }

const signInOver = () => new AppError('unauthenticated', 'invalid-token', 'Your sign-in has ended. Sign in again.')
const isConflict = (error: unknown): boolean => error instanceof AppError && error.kind === 'conflict'

const isOver = ({ revokedAt, spared, ended }: AccountState, { signInId, signedInAt }: TokenGrant): boolean =>
  ended[digestOf(signInId)] !== undefined || (revokedAt !== undefined && signedInAt < revokedAt && signInId !== spared)

/** Sorts by time as text. */
const revocationId = (at: number, rest: string): string => `${String(at).padStart(16, '0')}/${rest}`

const deleteAll = async (store: Pick<Store, 'commit'>, writes: readonly Write[]): Promise<void> => {
  const batches: Promise<unknown>[] = []
  for (let at = 0; at < writes.length; at += writesMax) batches.push(store.commit(writes.slice(at, at + writesMax)))
  await Promise.all(batches)
}

const deleteOf = (collection: string, id: string): Write => ({ kind: 'delete', collection, id })

/** All records of a collection under a prefix, page by page. */
async function* pagesOf<T>(store: Pick<Store, 'list'>, collection: Collection<T>, prefix?: string) {
  let cursor: string | undefined
  do {
    const page = await store.list(collection, {
      limit: pageLimit,
      ...(prefix !== undefined && { prefix }),
      ...(cursor !== undefined && { cursor }),
    })
    yield page.records
    cursor = page.nextCursor
    if (cursor !== undefined) await letOthersWork()
  } while (cursor !== undefined)
}

/** Removes every token, secret and revocation, which ends all sign-ins. */
export const dropTokens = async (store: Pick<Store, 'list' | 'commit'>): Promise<void> => {
  for (const collection of tokenCollections)
    for await (const records of pagesOf(store, collection))
      await deleteAll(
        store,
        records.map(({ id }) => deleteOf(collection.name, id)),
      )
}

export type RecordTokenStoreDeps = { readonly store: Store; readonly clock: Clock; readonly ids: Ids }

/** Tokens in the record store, for one process. They outlive the process. `sweep` removes expired records. */
export type RecordTokenStore = TokenStore & {
  sweep(): Promise<void>
}

/**
 * Tokens used within the last second are answered from memory, other ones from the store. A revocation in this process counts at once,
 * one from the command line within a second.
 */
export const createRecordTokenStore = ({ store, clock, ids }: RecordTokenStoreDeps): RecordTokenStore => {
  const cached = new Map<string, { readonly record: TokenRecord; readonly untilMs: number }>()
  /** Grows with each revocation. A record read before a revocation is not cached after it. */
  let revocations = 0

  const remember = (hash: string, record: TokenRecord): void => {
    cached.delete(hash)
    cached.set(hash, { record, untilMs: clock.monotonic() + freshMs })
    const [oldest] = cached.keys()
    if (cached.size > cachedMax && oldest !== undefined) cached.delete(oldest)
  }

  const read = async (hash: string): Promise<TokenRecord | undefined> => {
    const before = revocations
    const record = (await store.get(tokenRecords, hash))?.value
    if (record === undefined) cached.delete(hash)
    else if (before === revocations) remember(hash, record)
    return record
  }

  const find = async (token: string): Promise<TokenRecord | undefined> => {
    if (!isToken(token)) return undefined
    const hash = hashSecret(token)
    const known = cached.get(hash)
    const record = known !== undefined && clock.monotonic() < known.untilMs ? known.record : await read(hash)
    return record !== undefined && isLiveAt(record, clock.now()) ? record : undefined
  }

  const tryIssue = async (
    grant: TokenGrant,
    known: StoredRecord<AccountState> | undefined,
    { hash, record }: { readonly hash: string; readonly record: TokenRecord },
  ): Promise<boolean> => {
    const account = digestOf(grant.playerId)
    const owner = `${account}/${digestOf(grant.signInId)}/${hash}`
    try {
      await store.commit([
        putWrite(tokenRecords, hash, record),
        putWrite(accountTokens, owner, { expiresAt: record.expiresAt }),
        { kind: 'check', collection: accountStates.name, id: account, ifVersion: known?.version ?? null },
      ])
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  }

  const issue = async ({ playerId, verified, signInId, signedInAt }: TokenGrant): Promise<string> => {
    const grant = { playerId, verified, signInId, signedInAt }
    const token = ids.uuid()
    const hash = hashSecret(token)
    const record = { ...grant, expiresAt: clock.now() + tokenTtlMs }
    const readState = () => store.get(accountStates, digestOf(playerId))
    let known = await readState()
    const { epoch } = known?.value ?? noState
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const state = known?.value ?? noState
      // Includes a revocation while the token was made.
      if (isOver(state, grant) || (state.epoch !== epoch && state.spared !== signInId)) throw signInOver()
      if (await tryIssue(grant, known, { hash, record })) return token
      known = await readState()
    }
    throw new AppError('unavailable', 'service-unavailable', 'The account is being revoked repeatedly. Try again.')
  }

  /** Changes the state of an account, with other writes in the same commit. */
  const changeState = async (
    playerId: string,
    change: (state: AccountState) => Omit<AccountState, 'expiresAt'>,
    others: readonly Write[] = [],
  ): Promise<void> => {
    const account = digestOf(playerId)
    for (let attempt = 0; ; attempt += 1) {
      const known = await store.get(accountStates, account)
      const { value = noState } = known ?? {}
      const now = clock.now()
      const ended = Object.fromEntries(Object.entries(value.ended).filter(([, until]) => until > now))
      const next = { ...change({ ...value, ended }), expiresAt: now + keptMs }
      try {
        await store.commit([putWrite(accountStates, account, next, { ifVersion: known?.version ?? null }), ...others])
        return
      } catch (error) {
        if (!isConflict(error) || attempt === attemptsMax) throw error
      }
    }
  }

  const listOwned = async (prefix: string): Promise<readonly string[]> => {
    const owned: string[] = []
    for await (const records of pagesOf(store, accountTokens, prefix)) owned.push(...records.map(({ id }) => id))
    return owned
  }

  const deleteTokens = async (owned: readonly string[]): Promise<void> => {
    const hashes = owned.map((id) => id.slice(id.lastIndexOf('/') + 1))
    await deleteAll(
      store,
      owned.flatMap((id, at) => [deleteOf(tokenRecords.name, hashes[at] ?? ''), deleteOf(accountTokens.name, id)]),
    )
    revocations += 1
    for (const hash of hashes) cached.delete(hash)
  }

  const noteRevocation = (revocation: Revocation): Write =>
    putWrite(revocationRecords, revocationId(revocation.at, ids.uuid()), {
      ...revocation,
      expiresAt: revocation.at + tokenTtlMs,
    })

  const endSignIns =
    (digests: Iterable<string>) =>
    (state: AccountState): AccountState => {
      const until = clock.now() + keptMs
      return { ...state, ended: { ...state.ended, ...Object.fromEntries(Array.from(digests, (digest) => [digest, until])) } }
    }

  const revoke = async (token: string): Promise<TokenRecord | undefined> => {
    if (!isToken(token)) return undefined
    const record = await read(hashSecret(token))
    if (record === undefined || !isLiveAt(record, clock.now())) return undefined
    const { playerId, signInId } = record
    const signIn = digestOf(signInId)
    await changeState(playerId, endSignIns([signIn]), [noteRevocation({ playerId, signInId, at: clock.now() })])
    await deleteTokens(await listOwned(`${digestOf(playerId)}/${signIn}/`))
    return record
  }

  const revokeSignIn: TokenStore['revokeSignIn'] = async ({ playerId, signInId }) =>
    changeState(playerId, endSignIns([digestOf(signInId)]), [noteRevocation({ playerId, signInId, at: clock.now() })])

  const revokeAccount = async (playerId: string, exceptSignInId?: string): Promise<void> => {
    const at = clock.now()
    const spared = exceptSignInId === undefined ? {} : { spared: exceptSignInId }
    const noted = noteRevocation({ playerId, at, ...(exceptSignInId !== undefined && { exceptSignInId }) })
    // From here on no token can be issued with an older state.
    await changeState(playerId, ({ ended }) => ({ ended, epoch: ids.uuid(), revokedAt: at, ...spared }), [noted])
    const account = `${digestOf(playerId)}/`
    const sparedPrefix = exceptSignInId === undefined ? undefined : `${account}${digestOf(exceptSignInId)}/`
    const isMeant = (id: string): boolean => sparedPrefix === undefined || !id.startsWith(sparedPrefix)
    const signInOf = (id: string): string => id.slice(account.length, id.lastIndexOf('/'))
    const ended = new Set((await listOwned(account)).filter(isMeant).map(signInOf))
    if (ended.size === 0) return
    await changeState(playerId, endSignIns(ended))
    await deleteTokens((await listOwned(account)).filter((id) => ended.has(signInOf(id))))
  }

  const findOnce = async (key: string) => {
    const secret = await store.get(onceRecords, hashSecret(key))
    const now = clock.now()
    return secret !== undefined && secret.value.expiresAt > now && secret.value.putAt <= now + clockSlackMs ? secret : undefined
  }

  return {
    issue,
    find,
    revoke,
    revokeSignIn,
    revokeAccount,
    endAccount: (playerId) => revokeAccount(playerId),
    revokedSince: async (sinceMs) => {
      const oldest = Math.max(sinceMs, clock.now() - tokenTtlMs + 1)
      const latest = new Map<string, Revocation>()
      let cursor: string | undefined
      do {
        const options = { order: 'descending', limit: pageLimit } as const
        const page = await store.list(revocationRecords, cursor === undefined ? options : { ...options, cursor })
        for (const { value } of page.records) {
          const { expiresAt: _, ...revocation } = value
          const key = JSON.stringify([revocation.playerId, revocation.signInId ?? null])
          if (revocation.at >= oldest && !latest.has(key)) latest.set(key, revocation)
        }
        const isPast = (page.records.at(-1)?.value.at ?? 0) < oldest
        cursor = isPast ? undefined : page.nextCursor
      } while (cursor !== undefined)
      return [...latest.values()].reverse()
    },
    putOnce: async (key, value, ttlSeconds) => {
      const putAt = clock.now()
      await store.put(onceRecords, hashSecret(key), { value, putAt, expiresAt: putAt + ttlSeconds * 1000 })
    },
    findOnce: async (key) => (await findOnce(key))?.value.value,
    takeOnce: async (key) => {
      const secret = await findOnce(key)
      if (secret === undefined) return undefined
      try {
        await store.delete(onceRecords, secret.id, { ifVersion: secret.version })
        return secret.value.value
      } catch (error) {
        // Another caller took it.
        if (isConflict(error)) return undefined
        throw error
      }
    },
    sweep: async () => {
      for (const collection of tokenCollections)
        for await (const records of pagesOf(store, collection)) {
          const now = clock.now()
          const ended = records.filter(({ value }) => value.expiresAt <= now)
          // A record that was written again in the meantime stays.
          const write = ({ id, version }: StoredRecord<unknown>): Write => ({
            ...deleteOf(collection.name, id),
            ifVersion: version,
          })
          await deleteAll(store, ended.map(write)).catch((error: unknown) => {
            if (!isConflict(error)) throw error
          })
        }
      for (const [hash, { record }] of cached) if (!isLiveAt(record, clock.now())) cached.delete(hash)
    },
    ping: async () => {
      await store.get(accountStates, 'ping')
    },
    close: async () => undefined,
  }
}
