import { AppError } from '../../kernel/errors.ts'

/** The one refusal of a sign-in: it does not say whether the email, the password or the account was at fault. */
export const invalidCredentials = (): AppError =>
  new AppError('unauthenticated', 'invalid-credentials', 'Email and password do not match an account that can sign in.')
