import { AppError } from '../../kernel/errors.ts'
import type { RuleSet } from './rules.ts'

/** What an administrator does about a common password. */
export const newPasswordHint =
  'Your password is one of the 10,000 most common, so nothing privileged counts. Set a new password: in the console, or with POST /auth/password.'

/** The refusal of a privileged permission to a sign-in that does not count as verified, with what to do next. */
export const createUnverifiedRefusal = ({ needsNewPassword }: RuleSet, permission: string): AppError =>
  new AppError(
    'forbidden',
    'password-sign-in-needed',
    needsNewPassword === true
      ? `The permission "${permission}" is privileged. ${newPasswordHint}`
      : `The permission "${permission}" is privileged: sign in with a password, or through an identity provider.`,
  )
