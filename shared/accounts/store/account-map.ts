import type { Account } from '../account.ts'

/** Accounts by something that no two of them share; never changes. */
export type AccountMap = Pick<ReadonlyMap<string, Account>, 'get' | 'has' | 'keys' | 'size' | 'values'> & {
  /** This with each of `changes` made, in their order: the account of a key from now on, or `undefined` where there is none any more. */
  readonly change: (changes: Iterable<readonly [string, Account | undefined]>) => AccountMap
}

type Layers = {
  readonly base: ReadonlyMap<string, Account>
  /** What has changed since `base`; undefined for what is gone. */
  readonly recent: ReadonlyMap<string, Account | undefined>
  readonly size: number
}

/** Few to copy at each change, and many until the whole is copied. */
const recentMax = 128

const merge = ({ base, recent }: Layers): ReadonlyMap<string, Account> => {
  if (recent.size === 0) return base
  const merged = new Map(base)
  for (const [key, account] of recent) {
    if (account) merged.set(key, account)
    else merged.delete(key)
  }
  return merged
}

const createMap = (layers: Layers): AccountMap => {
  const { base, recent, size } = layers
  const get = (key: string) => (recent.has(key) ? recent.get(key) : base.get(key))
  return {
    get,
    has: (key) => get(key) !== undefined,
    keys: () => merge(layers).keys(),
    values: () => merge(layers).values(),
    size,
    change: (changes) => {
      const next = new Map(recent)
      let count = size
      for (const [key, account] of changes) {
        const before = next.has(key) ? next.get(key) : base.get(key)
        count += Number(account !== undefined) - Number(before !== undefined)
        next.set(key, account)
      }
      const changed = { base, recent: next, size: count }
      return createMap(next.size <= recentMax ? changed : { ...changed, base: merge(changed), recent: new Map() })
    },
  }
}

/** An account map of `entries`; of two with one key it holds the latter. */
export const createAccountMap = (entries: Iterable<readonly [string, Account]>): AccountMap => {
  const base = new Map(entries)
  return createMap({ base, recent: new Map(), size: base.size })
}
