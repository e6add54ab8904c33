import { isPasswordHash } from '../auth/passwords/password-hash.ts'
import { decidePermission } from '../permissions/decide-permission.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { Account } from './account.ts'

const managesUsers = 'admin.users.write'

/** How people sign in verified here: by a password alone, or through an identity provider. */
export type VerifiedBy = 'password' | 'identity-provider'

/** An account with a password and no subject yet still joins its email at the provider. */
const canSignInVerified = ({ passwordHash, subject }: Account, by: VerifiedBy): boolean =>
  (passwordHash !== undefined && isPasswordHash(passwordHash)) || (by === 'identity-provider' && subject !== undefined)

/** Whether the account can administer: it holds `admin.users.write` by the groups in force, and has what it takes to sign in verified. */
export const canAdminister = (permissions: Permissions, account: Account, by: VerifiedBy = 'password'): boolean =>
  canSignInVerified(account, by) &&
  decidePermission(permissions.rulesFor(account.groups), managesUsers, { verified: true, privileged: true }).allowed
