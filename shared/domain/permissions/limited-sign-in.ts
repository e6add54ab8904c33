import { AppError } from '../../kernel/errors.ts'
import type { GrantHolder } from './account-grant.ts'
import type { RuleSet } from './rules.ts'

/** The fields of an account that decide its permissions and whether a sign-in is limited. */
export type SignInHolder = GrantHolder & {
  readonly passwordHash?: string
  readonly passwordKind?: 'common'
  readonly subject?: string
}

/**
 * Whether a sign-in is limited: it is unverified, and the account has a password or an identity provider. A limited sign-in has only
 * the permissions of `defaultGroups`. The account's own groups, grants and zones need a verified one.
 */
export const isLimitedSignIn = ({ passwordHash, subject }: Omit<SignInHolder, 'groups'>, verified: boolean): boolean =>
  !verified && (passwordHash !== undefined || subject !== undefined)

/** The playerId to match with owners and members of zones; empty for a limited sign-in, which owns and manages no zone. */
export const zonePlayerIdOf = (
  account: Omit<SignInHolder, 'groups'> & { readonly playerId: string },
  verified: boolean,
): string => (isLimitedSignIn(account, verified) ? '' : account.playerId)

/** Advice to an administrator with a common password. */
export const newPasswordHint =
  'Your password is one of the 10,000 most common, so you cannot use privileged permissions. Set a new password in the console or with POST /auth/password.'

/** The refusal of a privileged permission to an unverified sign-in, with what to do next. */
export const createUnverifiedRefusal = ({ needsNewPassword }: RuleSet, permission: string): AppError =>
  new AppError(
    'forbidden',
    'password-sign-in-needed',
    needsNewPassword === true
      ? `The permission "${permission}" is privileged. ${newPasswordHint}`
      : `The permission "${permission}" is privileged. Sign in with a password or an identity provider.`,
  )
