import type { AuditEntry } from '../../audit/audit-log.ts'
import type { Account } from '../account.ts'

export type AccountPage = {
  readonly accounts: readonly Account[]
  readonly nextCursor?: string
}

export type AccountQuery = {
  /** Matched within email or display name, letter case aside. */
  readonly text?: string
  /** 1 to 200. */
  readonly limit: number
  /** The `nextCursor` of a page; good also once its account is gone. */
  readonly cursor?: string
}

/** What a decision may look at besides the account itself; as of the same moment. */
export type AccountContext = {
  /** Emails of all accounts that can administer. */
  readonly administrators: ReadonlySet<string>
  /** Whether an account like this could administer. */
  readonly isAdministrator: (account: Account) => boolean
}

/** What a decision asks for: the account as it shall be (`undefined`: gone), what to write to the audit log with it, and what to tell the caller. */
export type AccountChange<R> = {
  readonly next: Account | undefined
  readonly audit?: AuditEntry
  readonly result: R
  /** Refuses the change with `conflict` `display-name-taken` where another account bears a name that is taken for this one. */
  readonly ownName?: true
}

/**
 * Accounts by email. An account is found as any process has written it by then. A change is one atomic step with its rules, however many
 * processes write: `decide` sees the account and the administrators as they are, may be called again after a conflict, and may throw to
 * refuse. An account with the playerId or subject of another throws AppError `conflict` `already-exists`. It is durable, and its audit
 * entry with it, when `change` resolves. Unreadable accounts throw AppError `unavailable`, slug `accounts-unreadable`.
 */
export type AccountStore = {
  findByEmail(email: string): Promise<Account | undefined>
  findByPlayerId(playerId: string): Promise<Account | undefined>
  findBySubject(subject: string): Promise<Account | undefined>
  /** One whose name people take for this one: letter case and look-alikes aside. */
  findByName(displayName: string): Promise<Account | undefined>
  /** By the groups and the provider in force at this moment. */
  isAdministrator(account: Account): boolean
  /** Ordered by email. Throws AppError `invalid` with the pointer `/cursor` for a cursor that no page can have given. */
  listAccounts(query: AccountQuery): Promise<AccountPage>
  listAdministrators(): Promise<readonly Account[]>
  /** Some of those with a grant that is over at that time; none when there is none. */
  listEnded(nowMs: number): Promise<readonly Account[]>
  /** Differs whenever any account may have changed, and makes what is read afterwards as new; cheap enough to ask every second. */
  version(): Promise<string>
  /** Accounts that a person wrote into a file and that do not work as written, each with its lines, in words fit for the public. */
  warnings(): Promise<readonly string[]>
  change<R>(email: string, decide: (current: Account | undefined, context: AccountContext) => AccountChange<R>): Promise<R>
  /** As `change`, for a decision that may give the account the email `to`; refused with `conflict` `already-exists` where that is another's. */
  move<R>(
    email: string,
    to: string,
    decide: (current: Account | undefined, context: AccountContext) => AccountChange<R>,
  ): Promise<R>
  close(): Promise<void>
}
