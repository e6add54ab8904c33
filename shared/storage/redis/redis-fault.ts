import { AppError } from '../../kernel/errors.ts'

/** What may be logged of a fault: ioredis hangs the failed command with its arguments, secrets among them, on its errors. */
export const describeRedisFault = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault)
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
  return code === undefined || fault.message.includes(code) ? fault.message || fault.name : `${code} ${fault.message}`.trim()
}

/** Any fault of Redis as AppError `unavailable`, to be tried again after a second: out of reach, too slow, loading, read-only, out of memory. */
export const toUnavailable = (fault: unknown): AppError =>
  fault instanceof AppError
    ? fault
    : new AppError(
        'unavailable',
        'service-unavailable',
        'A service that this depends on does not answer; try again in a moment.',
        {
          cause: new Error(`Redis: ${describeRedisFault(fault)}`),
          retryAfterSeconds: 1,
        },
      )
