import { isGrantInForce } from '../../permissions/account-grant.ts'
import type { Account } from '../account.ts'
import { type AccountMap, type AccountMapDraft, createAccountMapDraft } from './account-map.ts'
import { type AccountNames, changeNames, createNames, createNamesInStretches, findNamed } from './account-names.ts'
import { changeSorted, sortInStretches } from './sorted-list.ts'

/** An immutable index of all accounts by email, playerId, subject and name. */
export type AccountIndex = {
  readonly byEmail: AccountMap
  readonly byPlayerId: AccountMap
  readonly bySubject: AccountMap
  /** An account whose name has this skeleton and for which `isMeant` is true. Names are sorted on first use. */
  readonly findByName: (skeleton: string, isMeant?: (account: Account) => boolean) => Account | undefined
  /** By email, in UTF-16 order; sorted on first use. */
  readonly sorted: () => readonly Account[]
  /** The lists sorted so far. */
  readonly made: () => MadeLists
}

type MadeLists = { readonly names?: AccountNames | undefined; readonly sorted?: readonly Account[] | undefined }
type IndexMaps = Pick<AccountIndex, 'byEmail' | 'byPlayerId' | 'bySubject'>

const emailOf = ({ email }: Account): string => email

const makeIndex = (maps: IndexMaps, made: MadeLists): AccountIndex => {
  let { names, sorted } = made
  return {
    ...maps,
    findByName: (skeleton, isMeant = () => true) => {
      names ??= createNames(maps.byEmail.values())
      return findNamed(names, skeleton, isMeant)
    },
    sorted: () => {
      sorted ??= [...maps.byEmail.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
      return sorted
    },
    made: () => ({ names, sorted }),
  }
}

type DraftMaps = { readonly [Key in keyof IndexMaps]: AccountMapDraft }

const startMaps = (): DraftMaps => ({
  byEmail: createAccountMapDraft(),
  byPlayerId: createAccountMapDraft(),
  bySubject: createAccountMapDraft(),
})

const addToMaps = ({ byEmail, byPlayerId, bySubject }: DraftMaps, account: Account): void => {
  byEmail.set(account.email, account)
  byPlayerId.set(account.playerId, account)
  if (account.subject !== undefined) bySubject.set(account.subject, account)
}

const finishMaps = ({ byEmail, byPlayerId, bySubject }: DraftMaps): IndexMaps => ({
  byEmail: byEmail.done(),
  byPlayerId: byPlayerId.done(),
  bySubject: bySubject.done(),
})

/** An index of `accounts`. Their emails, playerIds and subjects must be distinct. */
export const createAccountIndex = (accounts: readonly Account[]): AccountIndex => {
  const maps = startMaps()
  for (const account of accounts) addToMaps(maps, account)
  return makeIndex(finishMaps(maps), {})
}

/** Whether emails, playerIds and subjects of `accounts` are distinct; `maps` are built from them. */
const areDistinct = (maps: IndexMaps, accounts: readonly Account[]): boolean =>
  maps.byEmail.size === accounts.length &&
  maps.byPlayerId.size === accounts.length &&
  maps.bySubject.size === accounts.filter(({ subject }) => subject !== undefined).length

/**
 * An index of `accounts` with all lists already sorted. Undefined if two accounts share an email, a playerId or a subject. `pause` is
 * called between stretches.
 */
export const createWarmAccountIndex = async (
  accounts: readonly Account[],
  pause: () => Promise<void> | undefined,
): Promise<AccountIndex | undefined> => {
  const draft = startMaps()
  for (const account of accounts) {
    addToMaps(draft, account)
    const paused = pause()
    if (paused) await paused
  }
  const maps = finishMaps(draft)
  if (!areDistinct(maps, accounts)) return undefined
  const names = await createNamesInStretches(accounts, pause)
  return makeIndex(maps, { names, sorted: await sortInStretches(accounts, emailOf, pause) })
}

/** `index` with each of `changes` applied. Keys are the previous emails; values are the new accounts, `undefined` to remove one. */
export const changeAccountIndex = (index: AccountIndex, changes: ReadonlyMap<string, Account | undefined>): AccountIndex => {
  const before = [...changes.keys()].map((email) => index.byEmail.get(email))
  /** Removals come before additions: a subject may have moved to another account. */
  const entriesBy = (key: 'playerId' | 'subject') => {
    const entries: [string, Account | undefined][] = []
    for (const account of before) if (account?.[key] !== undefined) entries.push([account[key], undefined])
    for (const account of changes.values()) if (account?.[key] !== undefined) entries.push([account[key], account])
    return entries
  }
  const byEmail = new Map<string, Account | undefined>()
  for (const email of changes.keys()) byEmail.set(email, undefined)
  for (const account of changes.values()) if (account) byEmail.set(account.email, account)
  const maps = {
    byEmail: index.byEmail.change(byEmail),
    byPlayerId: index.byPlayerId.change(entriesBy('playerId')),
    bySubject: index.bySubject.change(entriesBy('subject')),
  }
  const { names, sorted } = index.made()
  return makeIndex(maps, {
    names: names && changeNames(names, before, changes.values()),
    sorted: sorted && changeSorted(sorted, emailOf, byEmail),
  })
}

/** Accounts per call of `listEndedOf`. */
const listedMax = 100

/** Accounts with a grant that has ended at `nowMs`, at most 100. */
export const listEndedOf = (index: AccountIndex, nowMs: number): readonly Account[] => {
  const ended: Account[] = []
  for (const account of index.sorted()) {
    if (ended.length === listedMax) break
    if (account.grants?.some((grant) => !isGrantInForce(grant, nowMs)) === true) ended.push(account)
  }
  return ended
}
