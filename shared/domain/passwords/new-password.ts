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
    'This password is one of the 10,000 most common, and this account has administrator permissions. Choose another password.',
    { errors: [{ pointer, message: 'is one of the 10,000 most common passwords, which an administrator must not have' }] },
  )

/** Sets the password hash of an account and notes whether the password is common. */
export const withPasswordHash = <A extends PasswordHolder>(account: A, passwordHash: string, isCommon: boolean): A => {
  const { passwordKind: _, ...rest } = account
  return { ...(rest as A), passwordHash, ...(isCommon && { passwordKind: 'common' as const }) }
}

/**
 * Returns a function that sets the hash of `password` on an account. That function throws `unprocessable` `common-password` if the
 * password is common and the account has an `admin.` permission.
 */
export const checkNewPassword = async (permissions: Permissions, password: string, pointer = '/password') => {
  const isCommon = await isCommonPassword(password)
  return <A extends PasswordHolder>(account: A, passwordHash: string): A => {
    if (isCommon && holdsAdministrative(permissions.rulesAnywhere(account))) throw refused(pointer)
    return withPasswordHash(account, passwordHash, isCommon)
  }
}

/** Throws `unprocessable` `common-password` if the change gives an `admin.` permission to an account with a common password. */
export const refuseCommonPromotion = (permissions: Permissions, before: GrantHolder, after: PasswordHolder): void => {
  const holds = (holder: GrantHolder) => holdsAdministrative(permissions.rulesAnywhere(holder))
  if (after.passwordKind !== 'common' || !holds(after) || holds(before)) return
  throw new AppError(
    'unprocessable',
    'common-password',
    'The password of this account is one of the 10,000 most common, so it cannot get an `admin.` permission. Set another password first.',
  )
}
