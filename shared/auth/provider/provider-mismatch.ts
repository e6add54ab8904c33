import { AppError } from '../../kernel/errors.ts'

/** For a way of signing in that the provider in force does not have. */
export const providerMismatch = (inForce: string): AppError =>
  new AppError(
    'not-found',
    'provider-mismatch',
    `This server signs people in by the provider "${inForce}"; see /api/auth/config.`,
  )
