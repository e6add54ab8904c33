import { AppError } from '../../kernel/errors.ts'
import type { RuleSet } from './rules.ts'

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
