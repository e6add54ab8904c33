import { AppError } from '../../kernel/errors.ts'

/** The error for a claim of a server that already has an administrator. */
export const alreadyClaimed = (): AppError =>
  new AppError('conflict', 'already-claimed', 'This server already has an administrator. Sign in, or ask them for access.')
