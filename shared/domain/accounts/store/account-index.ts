import { isGrantInForce } from '../../permissions/account-grant.ts'
import type { Account } from '../account.ts'
import { nameSkeleton } from '../names/name-skeleton.ts'

/** Previous emails with the new accounts; `undefined` removes one. */
export type AccountChanges = ReadonlyMap<string, Account | undefined>

/** All accounts by email, playerId, subject and name. */
export type AccountIndex = {
  readonly byEmail: ReadonlyMap<string, Account>
  readonly byPlayerId: ReadonlyMap<string, Account>
  readonly bySubject: ReadonlyMap<string, Account>
  /** The accounts with each skeleton of a name. */
  readonly byName: ReadonlyMap<string, readonly Account[]>
  /** By email, in UTF-16 order; sorted on first use after a change. */
  readonly sorted: () => readonly Account[]
  /** Whether no account has the email, playerId or subject. */
  readonly isFree: (account: Account) => boolean
  readonly add: (account: Account) => void
  /** Applying the same changes twice does nothing more. */
  readonly apply: (changes: AccountChanges) => void
}

/** An index of `accounts`. Their emails, playerIds and subjects must be distinct. */
export const createAccountIndex = (accounts: Iterable<Account> = []): AccountIndex => {
  const byEmail = new Map<string, Account>()
  const byPlayerId = new Map<string, Account>()
  const bySubject = new Map<string, Account>()
  const byName = new Map<string, readonly Account[]>()
  let sorted: readonly Account[] | undefined

  const remove = (account: Account): void => {
    const skeleton = nameSkeleton(account.displayName)
    const others = byName.get(skeleton)?.filter((other) => other !== account) ?? []
    byEmail.delete(account.email)
    byPlayerId.delete(account.playerId)
    if (account.subject !== undefined) bySubject.delete(account.subject)
    if (others.length > 0) byName.set(skeleton, others)
    else byName.delete(skeleton)
    sorted = undefined
  }
  const add = (account: Account): void => {
    const { email, playerId, subject, displayName } = account
    const old = byEmail.get(email)
    if (old) remove(old)
    const skeleton = nameSkeleton(displayName)
    byEmail.set(email, account)
    byPlayerId.set(playerId, account)
    if (subject !== undefined) bySubject.set(subject, account)
    byName.set(skeleton, [...(byName.get(skeleton) ?? []), account])
    sorted = undefined
  }

  for (const account of accounts) add(account)
  return {
    byEmail,
    byPlayerId,
    bySubject,
    byName,
    sorted: () => {
      sorted ??= [...byEmail.values()].sort((one, other) => (one.email < other.email ? -1 : 1))
      return sorted
    },
    isFree: ({ email, playerId, subject }) =>
      !byEmail.has(email) && !byPlayerId.has(playerId) && (subject === undefined || !bySubject.has(subject)),
    add,
    apply: (changes) => {
      // Removals come before additions: a subject may have moved to another account.
      for (const email of changes.keys()) {
        const account = byEmail.get(email)
        if (account) remove(account)
      }
      for (const account of changes.values()) if (account) add(account)
    },
  }
}

/** An account other than `except` whose name looks like `displayName`. */
export const findNamed = (index: AccountIndex, displayName: string, except?: string): Account | undefined =>
  index.byName.get(nameSkeleton(displayName))?.find(({ email }) => email !== except)

/** Accounts per call of `listEndedOf`. */
const listedMax = 100

/** Accounts with a grant that has ended at `nowMs`, at most 100. */
export const listEndedOf = (index: AccountIndex, nowMs: number): readonly Account[] => {
  const ended: Account[] = []
  for (const account of index.byEmail.values()) {
    if (ended.length === listedMax) break
    if (account.grants?.some((grant) => !isGrantInForce(grant, nowMs)) === true) ended.push(account)
  }
  return ended
}
