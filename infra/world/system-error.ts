/** The code that Node gives an error of the system or of zlib, such as ENOENT; empty when it has none. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether a call of the system failed. */
export const isSystemError = (error: unknown): boolean => typeof error === 'object' && error !== null && 'syscall' in error

/** What an error says, in its own words. */
export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
