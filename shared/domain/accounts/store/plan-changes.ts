import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import { Account } from '../account.ts'
import { displayNameTaken } from '../names/display-name-taken.ts'
import { nameSkeleton } from '../names/name-skeleton.ts'
import type { AccountChanges, AccountIndex } from './account-index.ts'
import type { AccountContext } from './account-store.ts'
import type { QueuedChange } from './change-queue.ts'

/** The outcome of a batch of changes before it is stored. */
export type ChangePlan = {
  /** By previous email: the new account, `undefined` to remove one. Does not list unchanged accounts. */
  readonly changes: AccountChanges
  /** In the order of the changes. */
  readonly audit: readonly AuditEntry[]
  /** Resolves or rejects every change. */
  readonly settle: () => void
}

const parseAccount = createParser(Account)

export const emailTaken = (): AppError =>
  new AppError('conflict', 'already-exists', 'An account with that email already exists.', {
    errors: [{ pointer: '/email', message: 'is the email of another account' }],
  })

/** The account that a change needs is gone. */
export const neededMissing = (email: string): AppError =>
  new AppError('not-found', 'not-found', `The account ${email} no longer exists. Nothing was deleted. Load the accounts again.`)

/** Keys that are unique besides the email. */
const identities = ['playerId', 'subject'] as const

/** The owner of each value, by email, including the changes of the batch so far. */
const createOwners = (before: (value: string) => Account | undefined) => {
  const changed = new Map<string, string | undefined>()
  return {
    ownerOf: (value: string | undefined) => {
      if (value === undefined) return undefined
      return changed.has(value) ? changed.get(value) : before(value)?.email
    },
    set: (value: string | undefined, email: string | undefined) => {
      if (value !== undefined) changed.set(value, email)
    },
  }
}

/** The accounts with each name, including the changes of the batch so far. Several may share one. */
const createBearers = (index: AccountIndex, isChanged: (email: string) => boolean) => {
  /** By skeleton: emails of accounts that have the name after the batch's changes. */
  const changed = new Map<string, Set<string>>()
  return {
    isBorneByAnother: (displayName: string, email: string): boolean => {
      const skeleton = nameSkeleton(displayName)
      for (const bearer of changed.get(skeleton) ?? []) if (bearer !== email) return true
      return index.byName.get(skeleton)?.some((account) => account.email !== email && !isChanged(account.email)) === true
    },
    set: (current: Account | undefined, next: Account | undefined): void => {
      if (current) changed.get(nameSkeleton(current.displayName))?.delete(current.email)
      if (!next) return
      const skeleton = nameSkeleton(next.displayName)
      changed.set(skeleton, (changed.get(skeleton) ?? new Set()).add(next.email))
    },
  }
}

const createDraft = (index: AccountIndex, isAdministrator: (account: Account) => boolean) => {
  const changes = new Map<string, Account | undefined>()
  const owners = {
    playerId: createOwners((value) => index.byPlayerId.get(value)),
    subject: createOwners((value) => index.bySubject.get(value)),
  }
  const bearers = createBearers(index, (email) => changes.has(email))
  let administrators: Set<string> | undefined
  const find = (email: string) => (changes.has(email) ? changes.get(email) : index.byEmail.get(email))
  const listAdministrators = () => {
    const emails = new Set<string>()
    for (const account of index.byEmail.values())
      if (!changes.has(account.email) && isAdministrator(account)) emails.add(account.email)
    for (const account of changes.values()) if (account && isAdministrator(account)) emails.add(account.email)
    return emails
  }
  const check = ({ email, to = email }: Pick<QueuedChange, 'email' | 'to'>, next: Account, ownName: boolean) => {
    const parsed = parseAccount(next)
    if (!parsed.ok) throw new AppError('invalid', 'bad-request', 'The account is not valid.', { errors: parsed.faults })
    if (next.email !== email && next.email !== to) throw new TypeError('an account keeps its email')
    if (next.email !== email && find(next.email) !== undefined) throw emailTaken()
    for (const key of identities) {
      const owner = owners[key].ownerOf(next[key])
      if (owner !== undefined && owner !== email)
        throw new AppError('conflict', 'already-exists', `Another account has this ${key}.`)
    }
    if (ownName && bearers.isBorneByAnother(next.displayName, email)) throw displayNameTaken()
  }
  const set = (change: Pick<QueuedChange, 'email' | 'to'>, next: Account | undefined, ownName: boolean) => {
    const { email } = change
    const current = find(email)
    if (isDeepStrictEqual(current, next)) return
    if (next) check(change, next, ownName)
    for (const key of identities) {
      owners[key].set(current?.[key], undefined)
      owners[key].set(next?.[key], next?.email)
    }
    bearers.set(current, next)
    changes.set(email, next)
    administrators?.delete(email)
    if (next && isAdministrator(next)) administrators?.add(next.email)
  }
  const context: AccountContext = {
    get administrators() {
      administrators ??= listAdministrators()
      return administrators
    },
    isAdministrator,
  }
  return { changes, context, find, set }
}

/** Runs the decisions of `batch` in order, each on the result of those before. A decision that throws changes nothing and rejects only its own caller. */
export const planChanges = (
  index: AccountIndex,
  batch: readonly QueuedChange[],
  isAdministrator: (account: Account) => boolean,
): ChangePlan => {
  const draft = createDraft(index, isAdministrator)
  const audit: AuditEntry[] = []
  const settlements: (() => void)[] = []
  for (const change of batch) {
    try {
      const decided = change.decide(draft.find(change.email), draft.context)
      if (decided.needs !== undefined && draft.find(decided.needs) === undefined) throw neededMissing(decided.needs)
      draft.set(change, decided.next, decided.ownName)
      if (decided.audit) audit.push(decided.audit)
      settlements.push(decided.accept)
    } catch (error) {
      settlements.push(() => change.reject(error))
    }
  }
  return { changes: draft.changes, audit, settle: () => settlements.forEach((settle) => void settle()) }
}
