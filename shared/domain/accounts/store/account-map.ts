import type { Account } from '../account.ts'

/** An immutable map of accounts by a key that is unique. */
export type AccountMap = Pick<ReadonlyMap<string, Account>, 'get' | 'has' | 'size'> & {
  readonly keys: () => readonly string[]
  readonly values: () => readonly Account[]
  /** This map with `changes` applied in order; `undefined` removes a key. */
  readonly change: (changes: Iterable<readonly [string, Account | undefined]>) => AccountMap
}

/** A mutable builder of an account map. */
export type AccountMapDraft = {
  set(key: string, account: Account | undefined): void
  /** The map so far; later calls of `set` do not affect it. */
  done(): AccountMap
}

type Shard = Map<string, Account>
type Shards = readonly (ReadonlyMap<string, Account> | undefined)[]

/** A change copies the affected shards and the list of shards. Both stay small for 100,000 accounts. */
const shardCount = 1024

/** FNV-1a. */
const shardOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & (shardCount - 1)
}

const noShards: Shards = Array.from({ length: shardCount }, () => undefined)

const createDraft = (from: Shards, fromSize: number): AccountMapDraft => {
  const shards = [...from]
  let size = fromSize
  /** Copies that only this draft holds. */
  const own = new Map<number, Shard>()
  const ownShard = (at: number): Shard => {
    const shard = own.get(at) ?? new Map(shards[at])
    own.set(at, shard)
    shards[at] = shard
    return shard
  }
  return {
    set: (key, account) => {
      const shard = ownShard(shardOf(key))
      size -= shard.size
      if (account) shard.set(key, account)
      else shard.delete(key)
      size += shard.size
    },
    done: () => {
      own.clear()
      return createMap([...shards], size)
    },
  }
}

const createMap = (shards: Shards, size: number): AccountMap => ({
  get: (key) => shards[shardOf(key)]?.get(key),
  has: (key) => shards[shardOf(key)]?.has(key) ?? false,
  keys: () => shards.flatMap((shard) => (shard ? [...shard.keys()] : [])),
  values: () => shards.flatMap((shard) => (shard ? [...shard.values()] : [])),
  size,
  change: (changes) => {
    const draft = createDraft(shards, size)
    for (const [key, account] of changes) draft.set(key, account)
    return draft.done()
  },
})

export const createAccountMapDraft = (): AccountMapDraft => createDraft(noShards, 0)
