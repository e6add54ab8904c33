import { AppError } from '../../../kernel/errors.ts'

/** The parts of a fault that may be logged. Errors of ioredis include the failed command with its arguments, which may be secrets. */
export const describeRedisFault = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault)
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
  return code === undefined || fault.message.includes(code) ? fault.message || fault.name : `${code} ${fault.message}`.trim()
}

/** Whether Redis is out of reach. For an error reply of Redis or a bug of ours, the stack is useful. */
const isOutOfReach = (fault: unknown): boolean =>
  fault instanceof Error && fault.name !== 'ReplyError' && !(fault instanceof TypeError)

/** Removes the stack, which is useless for an outage and fills the log. */
const withoutPlace = <E extends Error>(error: E): E => {
  error.stack = `${error.name}: ${error.message}`
  return error
}

/**
 * Converts any fault of Redis to AppError `unavailable`, with a retry after one second: out of reach, too slow, loading, read-only, out
 * of memory.
 */
export const toUnavailable = (fault: unknown): AppError => {
  if (fault instanceof AppError) return fault
  const bare = isOutOfReach(fault) ? withoutPlace : <E extends Error>(error: E): E => error
  const detail = 'A required service does not answer. Try again in a moment.'
  const cause = bare(new Error(`Redis: ${describeRedisFault(fault)}`))
  return bare(new AppError('unavailable', 'service-unavailable', detail, { cause, retryAfterSeconds: 1 }))
}
