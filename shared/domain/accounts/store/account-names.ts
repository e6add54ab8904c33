import type { Account } from '../account.ts'
import { nameSkeleton } from '../names/name-skeleton.ts'
import { changeSorted, countUpTo, sortInStretches } from './sorted-list.ts'

type Named = { readonly key: string; readonly account: Account }

/** Accounts by the skeletons of their names, which many may share: a sorted list; never changes. */
export type AccountNames = readonly Named[]

/** Below all that a skeleton is made of, so that the accounts of a name stand side by side. */
const divider = '\n'

const keyOf = ({ key }: Named): string => key

const nameAccount = (account: Account): Named => ({
  // With a divider behind an email too, which a hand may have left empty: no key is equal to the start of a name's.
  key: `${nameSkeleton(account.displayName)}${divider}${account.email}${divider}`,
  account,
})

/** One of those whose names have this skeleton and who are meant. */
export const findNamed = (names: AccountNames, skeleton: string, isMeant: (account: Account) => boolean): Account | undefined => {
  const prefix = `${skeleton}${divider}`
  for (let at = countUpTo(names, keyOf, prefix); names[at]?.key.startsWith(prefix); at += 1) {
    const account = names[at]?.account
    if (account !== undefined && isMeant(account)) return account
  }
  return undefined
}

export const changeNames = (
  names: AccountNames,
  before: Iterable<Account | undefined>,
  after: Iterable<Account | undefined>,
): AccountNames => {
  const changes = new Map<string, Named | undefined>()
  for (const account of before) if (account) changes.set(nameAccount(account).key, undefined)
  for (const account of after) {
    if (!account) continue
    const named = nameAccount(account)
    changes.set(named.key, named)
  }
  return changeSorted(names, keyOf, changes)
}

export const createNames = (accounts: Iterable<Account>): AccountNames =>
  Array.from(accounts, nameAccount).sort((a, b) => (a.key < b.key ? -1 : 1))

/** The same; `pause` is called between stretches. */
export const createNamesInStretches = async (
  accounts: readonly Account[],
  pause: () => Promise<void> | undefined,
): Promise<AccountNames> => {
  const names: Named[] = []
  for (const account of accounts) {
    names.push(nameAccount(account))
    const paused = pause()
    if (paused) await paused
  }
  return sortInStretches(names, keyOf, pause)
}
