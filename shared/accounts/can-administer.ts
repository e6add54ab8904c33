import { isPasswordHash } from '../auth/password-hash.ts'
import { decidePermission } from '../permissions/decide-permission.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { Account } from './account.ts'

const managesUsers = 'admin.users.write'

/** Whether the account can administer: it holds `admin.users.write` by the groups in force, and has a password hash to sign in verified with. */
export const canAdminister = (permissions: Permissions, account: Account): boolean =>
  account.passwordHash !== undefined &&
  isPasswordHash(account.passwordHash) &&
  decidePermission(permissions.rulesFor(account.groups), managesUsers, { verified: true, privileged: true }).allowed
