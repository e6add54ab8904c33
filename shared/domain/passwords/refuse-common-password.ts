import { AppError } from '../../kernel/errors.ts'
import type { GrantHolder } from '../permissions/account-grant.ts'
import { decidePermission } from '../permissions/decide-permission.ts'
import { knownPermissions } from '../permissions/known-permissions.ts'
import type { Permissions } from '../permissions/permissions.ts'
import { isCommonPassword } from './common-passwords.ts'

const administrative = knownPermissions.filter((permission) => permission.startsWith('admin.'))

const holdsAdministrative = (permissions: Permissions, holder: GrantHolder): boolean => {
  const rules = permissions.rulesAnywhere(holder)
  return administrative.some((permission) => decidePermission(rules, permission, { verified: true, privileged: true }).allowed)
}

const refused = (pointer: string) =>
  new AppError(
    'unprocessable',
    'common-password',
    'That password is one of the most common, and this account may administer. Choose another.',
    { errors: [{ pointer, message: 'is one of the 10,000 most common passwords, which an administrator must not have' }] },
  )

/** What refuses `password` for an account: throws `unprocessable` `common-password` for a common one where the account holds an `admin.` permission. */
export const checkCommonPassword = async (
  permissions: Permissions,
  password: string,
  pointer = '/password',
): Promise<(holder: GrantHolder) => void> => {
  if (!(await isCommonPassword(password))) return () => {}
  return (holder) => {
    if (holdsAdministrative(permissions, holder)) throw refused(pointer)
  }
}
