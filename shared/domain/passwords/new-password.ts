import { AppError } from '../../kernel/errors.ts'
import type { GrantHolder } from '../permissions/account-grant.ts'
import { holdsAdministrative } from '../permissions/decide-permission.ts'
import type { Permissions } from '../permissions/permissions.ts'
import { isCommonPassword } from './common-passwords.ts'

type PasswordHolder = GrantHolder & { readonly passwordHash?: string; readonly passwordKind?: 'common' }

const refused = (pointer: string) =>
  new AppError(
    'unprocessable',
    'common-password',
    'That password is one of the most common, and this account may administer. Choose another.',
    { errors: [{ pointer, message: 'is one of the 10,000 most common passwords, which an administrator must not have' }] },
  )

/** The account with another password hash, which notes whether the password is a common one. */
export const withPasswordHash = <A extends PasswordHolder>(account: A, passwordHash: string, isCommon: boolean): A => {
  const { passwordKind: _, ...rest } = account
  return { ...(rest as A), passwordHash, ...(isCommon && { passwordKind: 'common' as const }) }
}

/**
 * What gives an account the hash of `password`. It throws `unprocessable` `common-password` for a common password where the account holds an
 * `admin.` permission.
 */
export const checkNewPassword = async (permissions: Permissions, password: string, pointer = '/password') => {
  const isCommon = await isCommonPassword(password)
  return <A extends PasswordHolder>(account: A, passwordHash: string): A => {
    if (isCommon && holdsAdministrative(permissions.rulesAnywhere(account))) throw refused(pointer)
    return withPasswordHash(account, passwordHash, isCommon)
  }
}

/** Throws `unprocessable` `common-password` where the change makes an account with a common password an administrator. */
export const refuseCommonPromotion = (permissions: Permissions, before: GrantHolder, after: PasswordHolder): void => {
  const holds = (holder: GrantHolder) => holdsAdministrative(permissions.rulesAnywhere(holder))
  if (after.passwordKind !== 'common' || !holds(after) || holds(before)) return
  throw new AppError(
    'unprocessable',
    'common-password',
    'The password of this account is one of the 10,000 most common, so the account may not get an `admin.` permission. Set another password first.',
  )
}
