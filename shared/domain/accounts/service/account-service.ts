import type { AccountGrant } from '../../permissions/account-grant.ts'
import type { Account } from '../account.ts'
import type { Actor } from '../actor.ts'
import type { NewGrant } from '../grants/grant-input.ts'
import type { NameChoice } from '../names/display-name-taken.ts'
import type { VouchedIdentity } from './vouched-sign-in.ts'

type NewAccount = NameChoice & {
  readonly email: string
  readonly password?: string
  /** Absent: a free name derived from the email. */
  readonly displayName?: string
  /** Absent: the default groups. */
  readonly groups?: readonly string[]
}

/** Input of a user who registers. */
export type Registration = {
  readonly email: string
  readonly password: string
  /** The client's address. */
  readonly address: string
  /** Absent: a free name derived from the email. */
  readonly displayName?: string
  /** Absent, or if one of them no longer exists: the default groups. */
  readonly groups?: readonly string[]
  /** Called right before the account is written; if it throws, the registration is refused. */
  readonly checkHeld?: () => void
}

/** A password that a user sets for their own account. */
type OwnPassword = {
  /** The account as it was when the user proved their identity. */
  readonly account: Account
  /** Already checked by `validatePassword`. */
  readonly next: string
  /** The client's address. */
  readonly address: string
  readonly requestId: string
  /** The sign-in that stays valid; none if absent. */
  readonly keptSignInId?: string
  /** Set for a link that an administrator sent: proves the email, see `proveEmail`. */
  readonly provesEmail?: boolean
  /** The pointer to `next` in the request; default `/password`. */
  readonly pointer?: string
}

export type AccountPatch = NameChoice & {
  /** The account's sanctions move along. Throws `conflict` `already-exists` if another account has the email. */
  readonly email?: string
  readonly displayName?: string
  readonly groups?: readonly string[]
  readonly password?: string
}

/**
 * Account changes with their rules:
 * - Callers cannot exceed their own permissions (`forbidden` `beyond-own-permissions`).
 * - The last administrator stays (`conflict` `last-administrator`).
 * - Groups exist (`unprocessable` `unknown-group`).
 * - A new display name is not reserved and, without `force`, not taken (`conflict` `display-name-taken`).
 * - An account with an `admin.` permission gets no common password (`unprocessable` `common-password`).
 *
 * Each change is audited, published as an event and durable when it resolves.
 */
export type AccountService = {
  /** Throws `not-found`. */
  getAccount(email: string): Promise<Account>
  createAccount(actor: Actor, input: NewAccount): Promise<Account>
  /** Throws `stale` if `ifMatch` is out of date. A new password ends the account's tokens. */
  updateAccount(actor: Actor, email: string, patch: AccountPatch, ifMatch?: string): Promise<Account>
  removeAccount(actor: Actor, email: string, ifMatch?: string): Promise<void>
  /** Sets a user's own password and ends their other sign-ins. Throws `conflict` if the stored password has changed since `account` was read. */
  setOwnPassword(change: OwnPassword): Promise<void>
  /**
   * Stores a new hash of a password that matched, and whether the password is a common one. Returns the account with the new hash.
   * Undefined if the stored password has changed, or if hashing or writing fails. A failure throws if the password is common and the
   * account has an `admin.` permission. Tokens stay valid, and the audit log gets no entry.
   */
  renewPassword(account: Account, password: string, address: string): Promise<Account | undefined>
  /** Restores a deleted account with its password and playerId. Its tokens stay ended. Throws `not-undoable`, `already-exists`. */
  restoreAccount(actor: Actor, playerId: string, choice?: NameChoice): Promise<Account>
  /** Restores email, name, groups and grants as they were before a change. Throws like `updateAccount`. */
  putBack(
    actor: Actor,
    email: string,
    was: Pick<Account, 'displayName' | 'groups' | 'grants'> & { readonly email?: string },
    options?: NameChoice & { readonly ifMatch?: string | undefined },
  ): Promise<Account>
  /**
   * Adds groups and active grants of `from` to the account `into`, and the password if `into` has none. Throws `unprocessable` if `from`
   * has an identity of the identity provider. `dryRun` only checks. Returns the account as it is, or would be, afterwards.
   */
  absorb(actor: Actor, into: string, from: Account, options?: { readonly dryRun?: boolean }): Promise<Account>
  /** Adds groups to the account; groups it already has do not change. */
  addGroups(actor: Actor, email: string, groups: readonly string[]): Promise<Account>
  removeGroups(actor: Actor, email: string, groups: readonly string[]): Promise<Account>
  /** The world and the zone of the grant must exist. Throws `unprocessable` for an unknown group or an end in the past. */
  addGrant(actor: Actor, email: string, input: NewGrant, ifMatch?: string): Promise<AccountGrant>
  /** Throws `not-found`. */
  removeGrant(actor: Actor, email: string, id: string, ifMatch?: string): Promise<void>
  /** Removes ended grants, audited as `system`, and returns how many. Safe to call from several processes: only one removes them. */
  endGrants(email: string): Promise<number>
  /**
   * Creates an account with a password. Returns false and changes nothing if an account with the email exists; only an invitation takes
   * over an unclaimed one. Both cases cost one hash and one audit entry. A chosen name must be free (`conflict` `display-name-taken`),
   * even if the account exists.
   */
  register(registration: Registration, requestId: string): Promise<boolean>
  /**
   * Returns the account of a first passwordless sign-in, with default groups and no password, or the existing one. Throws `conflict`
   * `display-name-taken` if another account has the chosen name. Without a chosen name it finds a free one.
   */
  signUp(email: string, requestId: string, displayName?: string): Promise<Account>
  /** Returns the account of an identity-provider sign-in, with its mapped groups updated. Throws `forbidden` `account-not-allowed`. */
  signInVouched(identity: VouchedIdentity, requestId: string): Promise<Account>
  /** Creates the first administrator, in group `admin`. Throws `conflict` `already-claimed` if there is one. */
  claimAdministrator(
    input: {
      readonly email: string
      readonly password: string
      readonly displayName?: string
      /** The client's address. */
      readonly address: string
    },
    requestId: string,
  ): Promise<Account>
  hasAdministrator(): Promise<boolean>
}
