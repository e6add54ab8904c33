import type { AccountGrant } from '../../permissions/account-grant.ts'
import type { Account } from '../account.ts'
import type { Actor } from '../actor.ts'
import type { NewGrant } from '../grants/grant-input.ts'
import type { NameChoice } from '../names/display-name-taken.ts'
import type { VouchedIdentity } from './vouched-sign-in.ts'

type NewAccount = NameChoice & {
  readonly email: string
  readonly password?: string
  /** Absent: a free one made of the email. */
  readonly displayName?: string
  /** Absent: the default groups. */
  readonly groups?: readonly string[]
}

/** An account that somebody makes for themselves. */
export type Registration = {
  readonly email: string
  readonly password: string
  /** The client's address. */
  readonly address: string
  /** Absent: a free one made of the email. */
  readonly displayName?: string
  /** Absent, or where one is gone: the default groups. */
  readonly groups?: readonly string[]
  /** Asked right before the account is written; what it throws refuses the registration. */
  readonly checkHeld?: () => void
}

/** A password that somebody sets for an account of their own. */
type OwnPassword = {
  /** The account as it was when they proved that they may. */
  readonly account: Account
  /** Of a form that `validatePassword` let through. */
  readonly next: string
  /** The client's address. */
  readonly address: string
  readonly requestId: string
  /** The sign-in that goes on; none when absent. */
  readonly keptSignInId?: string
  /** Set by a link that an administrator sent: whoever only typed the email keeps nothing of the account. */
  readonly provesEmail?: boolean
  /** Where the request has `next`; `/password` when absent. */
  readonly pointer?: string
}

export type AccountPatch = NameChoice & {
  /** Sanctions follow; `conflict` `already-exists` where another account has it. */
  readonly email?: string
  readonly displayName?: string
  readonly groups?: readonly string[]
  readonly password?: string
}

/**
 * Account changes with their rules: nobody reaches beyond their own permissions (`forbidden` `beyond-own-permissions`), the last
 * administrator stays (`conflict` `last-administrator`), groups exist (`unprocessable` `unknown-group`), and a display name that is set is
 * free unless `force` says otherwise, never reserved (`conflict` `display-name-taken`). An account that holds an `admin.` permission gets no
 * common password (`unprocessable` `common-password`). Each change is audited,
 * published as an event and durable when it resolves.
 */
export type AccountService = {
  /** Throws `not-found`. */
  getAccount(email: string): Promise<Account>
  createAccount(actor: Actor, input: NewAccount): Promise<Account>
  /** A new password or `ifMatch` that is stale throws `stale`; setting a password ends the account's tokens. */
  updateAccount(actor: Actor, email: string, patch: AccountPatch, ifMatch?: string): Promise<Account>
  removeAccount(actor: Actor, email: string, ifMatch?: string): Promise<void>
  /** Sets the password of who has proven that the account is theirs, and ends their other sign-ins. Throws `conflict` where its password is another by now. */
  setOwnPassword(change: OwnPassword): Promise<void>
  /**
   * Hashes a password that was proven to be the account's anew; the account with the new hash. Undefined where its password is another by
   * now, or no hash could be made. It notes whether the password is a common one, and throws where that fails for an administrator. Its tokens go on, and nothing is audited: nobody changed anything.
   */
  renewPassword(account: Account, password: string, address: string): Promise<Account | undefined>
  /** Brings a deleted account back, its password and playerId included; its tokens stay ended. Throws `not-undoable`, `already-exists`. */
  restoreAccount(actor: Actor, playerId: string): Promise<Account>
  /** Email, name, groups and grants as they were before a write. Throws as `updateAccount`. */
  putBack(
    actor: Actor,
    email: string,
    was: Pick<Account, 'displayName' | 'groups' | 'grants'> & { readonly email?: string },
    ifMatch?: string,
  ): Promise<Account>
  /** Adds to the account's groups; those it has already are left as they are. */
  addGroups(actor: Actor, email: string, groups: readonly string[]): Promise<Account>
  removeGroups(actor: Actor, email: string, groups: readonly string[]): Promise<Account>
  /** Throws `unprocessable` for an unknown group and an end in the past; its place must exist. */
  addGrant(actor: Actor, email: string, input: NewGrant, ifMatch?: string): Promise<AccountGrant>
  /** Throws `not-found`. */
  removeGrant(actor: Actor, email: string, id: string, ifMatch?: string): Promise<void>
  /** Takes out the grants that are over, audited as of `system`; how many those were. However many processes ask, one of them does it. */
  endGrants(email: string): Promise<number>
  /**
   * Makes an account with a password; false, and nothing changed, where the email has one. A chosen name must be free (`conflict`
   * `display-name-taken`), whether or not the email is. Either way costs a hash and leaves an entry in the audit log.
   */
  register(registration: Registration, requestId: string): Promise<boolean>
  /**
   * The account of a first passwordless sign-in: default groups, no password; the one that exists if somebody was faster. Throws `conflict`
   * `display-name-taken` for a chosen name that is another's; without one it finds a free name.
   */
  signUp(email: string, requestId: string, displayName?: string): Promise<Account>
  /** The account of somebody for whom an identity provider vouches, its mapped groups as of now; throws `forbidden` `account-not-allowed`. */
  signInVouched(identity: VouchedIdentity, requestId: string): Promise<Account>
  /** The first administrator, in group `admin`; throws `conflict` `already-claimed` once there is one. */
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
