import { isPasswordHash } from '../passwords/password-hash.ts'
import { decidePermission } from '../permissions/decide-permission.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { RuleSet } from '../permissions/rules.ts'
import type { Account } from './account.ts'

const managesUsers = 'admin.users.write'

/** How users sign in verified here: with a password only, or also through an identity provider. */
export type VerifiedBy = 'password' | 'identity-provider'

/** An account with a password and no subject can still be linked to its email at the provider. */
const canSignInVerified = ({ passwordHash, subject }: Account, by: VerifiedBy): boolean =>
  (passwordHash !== undefined && isPasswordHash(passwordHash)) || (by === 'identity-provider' && subject !== undefined)

const holdsByGroups = (rules: RuleSet): boolean =>
  decidePermission(rules, managesUsers, { verified: true, privileged: true }).allowed

/** Whether the account can administer without temporary grants: its groups give `admin.users.write`, and it can sign in verified. */
export const canAdminister = (permissions: Permissions, account: Account, by: VerifiedBy = 'password'): boolean =>
  canSignInVerified(account, by) &&
  holdsByGroups(permissions.rulesFor(account.groups)) &&
  (account.grants === undefined || holdsByGroups(permissions.rulesAnywhere(account)))
