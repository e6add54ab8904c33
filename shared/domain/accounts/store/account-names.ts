import type { Account } from '../account.ts'
import { nameSkeleton } from '../names/name-skeleton.ts'
import { changeSorted, countUpTo, sortInStretches } from './sorted-list.ts'

type Named = { readonly key: string; readonly account: Account }

/** An immutable sorted list of accounts by the skeletons of their names. Several accounts may share one. */
export type AccountNames = readonly Named[]

/** Sorts below every character of a skeleton, so that the accounts of a name are adjacent. */
const divider = '\n'

const keyOf = ({ key }: Named): string => key

const nameAccount = (account: Account): Named => ({
  // The divider also follows the email, which may be empty in a hand-written file, so that no key equals the prefix of a name.
  key: `${nameSkeleton(account.displayName)}${divider}${account.email}${divider}`,
  account,
})

/** An account whose name has this skeleton and for which `isMeant` is true. */
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

/** Like `createNames`; `pause` is called between stretches. */
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
