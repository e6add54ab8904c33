import { AppError } from '../../../kernel/errors.ts'

/** What `ask` answers, or null where what it asks is out of reach: the rest of an impact is worth telling all the same. */
export const orUnknown = async <T>(ask: () => Promise<T>): Promise<T | null> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return null
    throw error
  }
}
