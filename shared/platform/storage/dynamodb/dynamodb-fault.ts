import { AppError } from '../../../kernel/errors.ts'

/** The names and reasons of DynamoDB for a conflict with another transaction, or for throttling. */
const contended = new Set([
  'TransactionConflict',
  'TransactionConflictException',
  'TransactionInProgressException',
  'ThrottlingError',
  'ThrottlingException',
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
])
const conditionMissed = new Set(['ConditionalCheckFailed', 'ConditionalCheckFailedException'])

const nameOf = (fault: unknown): string => (fault instanceof Error || hasName(fault) ? String(fault.name) : '')
const hasName = (fault: unknown): fault is { readonly name: unknown } =>
  typeof fault === 'object' && fault !== null && 'name' in fault

/** The reason of each write in a cancelled transaction. */
const reasonsOf = (fault: unknown): readonly string[] => {
  if (typeof fault !== 'object' || fault === null || !('CancellationReasons' in fault)) return []
  const reasons: unknown = fault.CancellationReasons
  if (!Array.isArray(reasons)) return []
  return reasons.flatMap((reason: unknown) =>
    typeof reason === 'object' && reason !== null && 'Code' in reason && reason.Code !== 'None' ? [String(reason.Code)] : [],
  )
}

const codesOf = (fault: unknown): readonly string[] => [nameOf(fault), ...reasonsOf(fault)]

/** Whether a condition of the write was not met. With contention as well, it may be met at the next attempt. */
export const isConditionMissed = (fault: unknown): boolean =>
  codesOf(fault).some((code) => conditionMissed.has(code)) && !isContended(fault)

/** Whether the same request may succeed a moment later. Nothing was written. */
export const isContended = (fault: unknown): boolean => codesOf(fault).some((code) => contended.has(code))

/** Whether the request was sent more than once. Then a condition may have failed because an earlier attempt succeeded. */
export const wasRepeated = (fault: unknown): boolean => {
  if (typeof fault !== 'object' || fault === null || !('$metadata' in fault)) return false
  const metadata = fault.$metadata
  return typeof metadata === 'object' && metadata !== null && 'attempts' in metadata && Number(metadata.attempts) > 1
}

/** The parts of a fault that may be logged: its name and reasons, never the items of the request. */
export const describeDynamoFault = (fault: unknown): string => {
  const message = fault instanceof Error ? fault.message : String(fault)
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? String(fault.code) : ''
  return [nameOf(fault), code, ...reasonsOf(fault), message].filter((part) => part !== '').join(' ')
}

/** Converts any fault of DynamoDB to AppError `unavailable`, with a retry after one second. */
export const toUnavailable = (fault: unknown): AppError =>
  fault instanceof AppError
    ? fault
    : new AppError('unavailable', 'service-unavailable', 'A required service does not answer. Try again in a moment.', {
        cause: new Error(`DynamoDB: ${describeDynamoFault(fault)}`),
        retryAfterSeconds: 1,
      })
