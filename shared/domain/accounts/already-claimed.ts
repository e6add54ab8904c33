import { AppError } from '../../kernel/errors.ts'

/** The answer to a claim of a server that has an administrator. */
export const alreadyClaimed = (): AppError =>
  new AppError('conflict', 'already-claimed', 'This server has an administrator already. Sign in, or ask them for access.')
