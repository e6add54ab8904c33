import { AppError } from '../../kernel/errors.ts'
import { isGrantInForce } from '../../permissions/account-grant.ts'
import type { Account } from '../account.ts'
import { nameSkeleton } from '../names/name-skeleton.ts'
import type { AccountPage, AccountQuery } from './account-store.ts'

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

/** Accounts by the skeletons of their names; `shared` are those skeletons that more than one account has, or had. */
type Names = { readonly byName: AccountMap; readonly shared: ReadonlySet<string> }

/** All accounts of one moment, found by email, by playerId, by subject and by name; never changes. */
export type AccountIndex = {
  readonly byEmail: AccountMap
  readonly byPlayerId: AccountMap
  readonly bySubject: AccountMap
  /** By the skeleton of its name: one of those whose names are taken for each other. Made on first use. */
  readonly byName: () => AccountMap
  /** The same where it has been made. */
  readonly madeNames: () => Names | undefined
  /** By email, in UTF-16 order; sorted on first use. */
  readonly sorted: () => readonly Account[]
}

type IndexMaps = Pick<AccountIndex, 'byEmail' | 'byPlayerId' | 'bySubject'>

const skeletonOf = ({ displayName }: Account): string => nameSkeleton(displayName)

const addNames = ({ byName, shared }: Names, accounts: Iterable<Account>): Names => {
  const added = new Map<string, Account>()
  const sharedNow = new Set(shared)
  for (const account of accounts) {
    const name = skeletonOf(account)
    const bearer = added.get(name) ?? byName.get(name)
    if (bearer !== undefined && bearer.email !== account.email) sharedNow.add(name)
    added.set(name, account)
  }
  return { byName: byName.size === 0 ? createAccountMap(added) : byName.change(added), shared: sharedNow }
}

const createNames = (accounts: Iterable<Account>): Names =>
  addNames({ byName: createAccountMap([]), shared: new Set() }, accounts)

/** Undefined where an account gives up a name that another may have too: only all of them tell. */
const changeNames = (
  names: Names,
  before: readonly (Account | undefined)[],
  changes: ReadonlyMap<string, Account | undefined>,
): Names | undefined => {
  const givenUp = before.flatMap((account) => {
    const to = account && changes.get(account.email)
    return account && (!to || skeletonOf(to) !== skeletonOf(account)) ? [skeletonOf(account)] : []
  })
  if (givenUp.some((name) => names.shared.has(name))) return undefined
  const left = names.byName.change(givenUp.map((name) => [name, undefined]))
  return addNames(
    { ...names, byName: left },
    [...changes.values()].filter((account) => account !== undefined),
  )
}

const makeIndex = (maps: IndexMaps, known?: Names): AccountIndex => {
  let sorted: readonly Account[] | undefined
  let names = known
  return {
    ...maps,
    byName: () => {
      names ??= createNames(maps.byEmail.values())
      return names.byName
    },
    madeNames: () => names,
    sorted: () => {
      sorted ??= [...maps.byEmail.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
      return sorted
    },
  }
}

/** An index of `accounts`, whose emails, playerIds and subjects are distinct. */
export const createAccountIndex = (accounts: readonly Account[]): AccountIndex =>
  makeIndex({
    byEmail: createAccountMap(accounts.map((account) => [account.email, account])),
    byPlayerId: createAccountMap(accounts.map((account) => [account.playerId, account])),
    bySubject: createAccountMap(
      accounts.flatMap((account) => (account.subject === undefined ? [] : [[account.subject, account]])),
    ),
  })

/** Whether no two of `accounts`, which `index` was made of, have the same email, playerId or subject. */
export const isDistinctIndex = (index: AccountIndex, accounts: readonly Account[]): boolean =>
  index.byEmail.size === accounts.length &&
  index.byPlayerId.size === accounts.length &&
  index.bySubject.size === accounts.filter(({ subject }) => subject !== undefined).length

/** `index` with each of `changes` made: the account as it is from now on, or `undefined` for one that is gone. */
export const changeAccountIndex = (index: AccountIndex, changes: ReadonlyMap<string, Account | undefined>): AccountIndex => {
  const before = [...changes.keys()].map((email) => index.byEmail.get(email))
  /** What goes before what comes: a subject may be another account's by now. */
  const entriesBy = (key: 'playerId' | 'subject') => {
    const entries: [string, Account | undefined][] = []
    for (const account of before) if (account?.[key] !== undefined) entries.push([account[key], undefined])
    for (const account of changes.values()) if (account?.[key] !== undefined) entries.push([account[key], account])
    return entries
  }
  const maps = {
    byEmail: index.byEmail.change(changes),
    byPlayerId: index.byPlayerId.change(entriesBy('playerId')),
    bySubject: index.bySubject.change(entriesBy('subject')),
  }
  const names = index.madeNames()
  return makeIndex(maps, names && changeNames(names, before, changes))
}

/** How many accounts are told of at a time. */
const listedMax = 100

/** Those with a grant that is over at that time, a hundred at most. */
export const listEndedOf = (index: AccountIndex, nowMs: number): readonly Account[] => {
  const ended: Account[] = []
  for (const account of index.byEmail.values()) {
    if (ended.length === listedMax) break
    if (account.grants?.some((grant) => !isGrantInForce(grant, nowMs)) === true) ended.push(account)
  }
  return ended
}

/** Tells a cursor from other text, as an email that was written by hand may be of any form. */
const cursorMark = 'after '
/** The cursor of a page that ends with the account of this email. */
export const encodeAccountCursor = (email: string): string => Buffer.from(cursorMark + email).toString('base64url')

/** The email in a cursor, whether or not there still is such an account; throws AppError `invalid` with the pointer `/cursor` for any other text. */
export const decodeAccountCursor = (cursor: string): string => {
  const text = Buffer.from(cursor, 'base64url').toString()
  const email = text.slice(cursorMark.length)
  if (text.startsWith(cursorMark) && encodeAccountCursor(email) === cursor) return email
  throw new AppError('invalid', 'bad-request', 'The cursor is not one that the list of accounts returned.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the page before' }],
  })
}

/** How many of `sorted` are at or before `email`, by bisection: a page late in a long list costs no more than the first. */
const countUpTo = (sorted: readonly Account[], email: string): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.email ?? '') <= email) low = middle + 1
    else high = middle
  }
  return low
}

/** One page of `index`, as `AccountStore.listAccounts` promises it. */
export const pageAccounts = (index: AccountIndex, { text, limit, cursor }: AccountQuery): AccountPage => {
  const sorted = index.sorted()
  const first = cursor === undefined ? 0 : countUpTo(sorted, decodeAccountCursor(cursor))
  const wanted = text?.toLowerCase() ?? ''
  const accounts: Account[] = []
  for (let at = first; at < sorted.length; at++) {
    const account = sorted[at]
    if (account === undefined) break
    if (!account.email.includes(wanted) && !account.displayName.toLowerCase().includes(wanted)) continue
    const last = accounts.at(-1)
    if (accounts.length === limit && last) return { accounts, nextCursor: encodeAccountCursor(last.email) }
    accounts.push(account)
  }
  return { accounts }
}
