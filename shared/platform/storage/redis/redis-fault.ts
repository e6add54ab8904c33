import { AppError } from '../../../kernel/errors.ts'

/** What may be logged of a fault: ioredis hangs the failed command with its arguments, secrets among them, on its errors. */
export const describeRedisFault = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault)
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
  return code === undefined || fault.message.includes(code) ? fault.message || fault.name : `${code} ${fault.message}`.trim()
}

/** Redis said so itself, or our own code is wrong: where that was is worth knowing. Whatever else there is, is Redis out of reach. */
const isOutOfReach = (fault: unknown): boolean =>
  fault instanceof Error && fault.name !== 'ReplyError' && !(fault instanceof TypeError)

/** Without the place where it was thrown, which of an outage tells nothing and fills the log. */
const withoutPlace = <E extends Error>(error: E): E => {
  error.stack = `${error.name}: ${error.message}`
  return error
}

/** Any fault of Redis as AppError `unavailable`, to be tried again after a second: out of reach, too slow, loading, read-only, out of memory. */
export const toUnavailable = (fault: unknown): AppError => {
  if (fault instanceof AppError) return fault
  const bare = isOutOfReach(fault) ? withoutPlace : <E extends Error>(error: E): E => error
  const detail = 'A service that this depends on does not answer; try again in a moment.'
  const cause = bare(new Error(`Redis: ${describeRedisFault(fault)}`))
  return bare(new AppError('unavailable', 'service-unavailable', detail, { cause, retryAfterSeconds: 1 }))
}
