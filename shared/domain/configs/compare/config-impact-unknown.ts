import { AppError } from '../../../kernel/errors.ts'

/** The result of `ask`, or null if its service is unavailable: the rest of an impact is still useful. */
export const orUnknown = async <T>(ask: () => Promise<T>): Promise<T | null> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return null
    throw error
  }
}
