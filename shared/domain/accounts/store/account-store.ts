import type { AuditEntry } from '../../audit/audit-log.ts'
import type { Account } from '../account.ts'

export type AccountPage = {
  readonly accounts: readonly Account[]
  readonly nextCursor?: string
}

export type AccountQuery = {
  /** A part of the email or display name, ignoring case. */
  readonly text?: string
  /** 1 to 200. */
  readonly limit: number
  /** The `nextCursor` of a page; valid even after its account is deleted. */
  readonly cursor?: string
}

/** Data for a decision besides the account itself, read at the same moment. */
export type AccountContext = {
  /** Emails of all accounts that can administer. */
  readonly administrators: ReadonlySet<string>
  /** Whether this version of an account can administer. */
  readonly isAdministrator: (account: Account) => boolean
}

/** A decision: the new account (`undefined` deletes it), the audit entry to write with it, and the result for the caller. */
export type AccountChange<R> = {
  readonly next: Account | undefined
  readonly audit?: AuditEntry
  readonly result: R
  /** Refuses the change with `conflict` `display-name-taken` if another account has the name or one that looks like it. */
  readonly ownName?: true
  /** The email of another account. Refuses the change with `not-found` if that account does not exist in the same step. */
  readonly needs?: string
}

/**
 * Accounts by email. Reads see the latest write of any process. A change is one atomic step, however many processes write:
 * `decide` gets the current account and administrators, may run again after a conflict, and may throw to refuse. The account and its
 * audit entry are durable when `change` resolves. A playerId or subject of another account throws AppError `conflict` `already-exists`.
 * Unreadable accounts throw AppError `unavailable` `accounts-unreadable`.
 */
export type AccountStore = {
  findByEmail(email: string): Promise<Account | undefined>
  findByPlayerId(playerId: string): Promise<Account | undefined>
  findBySubject(subject: string): Promise<Account | undefined>
  /** An account whose name is the same or looks the same, ignoring case; not the account of the email `except`. */
  findByName(displayName: string, except?: string): Promise<Account | undefined>
  /** By the groups and the identity provider that are active now. */
  isAdministrator(account: Account): boolean
  /** Ordered by email. Throws AppError `invalid` with the pointer `/cursor` for a cursor that no page returned. */
  listAccounts(query: AccountQuery): Promise<AccountPage>
  listAdministrators(): Promise<readonly Account[]>
  /** Some of the accounts with a grant that has ended at `nowMs`; empty only if there are none. */
  listEnded(nowMs: number): Promise<readonly Account[]>
  /** A value that changes whenever an account may have changed. Later reads see that change. Cheap enough to call every second. */
  version(): Promise<string>
  /** Hand-written accounts that do not work, each with its lines, in words that may be public. */
  warnings(): Promise<readonly string[]>
  change<R>(email: string, decide: (current: Account | undefined, context: AccountContext) => AccountChange<R>): Promise<R>
  /** `change` for a decision that may set the email to `to`. Throws `conflict` `already-exists` if another account has that email. */
  move<R>(
    email: string,
    to: string,
    decide: (current: Account | undefined, context: AccountContext) => AccountChange<R>,
  ): Promise<R>
  close(): Promise<void>
}
