import { AppError } from '../../../kernel/errors.ts'

/** Names and reasons by which DynamoDB says that somebody else's transaction was in the way, or that it was asked too much. */
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

/** The code of each write that cancelled a transaction. */
const reasonsOf = (fault: unknown): readonly string[] => {
  if (typeof fault !== 'object' || fault === null || !('CancellationReasons' in fault)) return []
  const reasons: unknown = fault.CancellationReasons
  if (!Array.isArray(reasons)) return []
  return reasons.flatMap((reason: unknown) =>
    typeof reason === 'object' && reason !== null && 'Code' in reason && reason.Code !== 'None' ? [String(reason.Code)] : [],
  )
}

const codesOf = (fault: unknown): readonly string[] => [nameOf(fault), ...reasonsOf(fault)]

/** Whether a condition of the write did not hold; one that met contention as well may hold the next time. */
export const isConditionMissed = (fault: unknown): boolean =>
  codesOf(fault).some((code) => conditionMissed.has(code)) && !isContended(fault)

/** Whether the same request may pass a moment later; nothing of it was done. */
export const isContended = (fault: unknown): boolean => codesOf(fault).some((code) => contended.has(code))

/** Whether the request was sent more than once, so that a condition may have been missed because an earlier one was done. */
export const wasRepeated = (fault: unknown): boolean => {
  if (typeof fault !== 'object' || fault === null || !('$metadata' in fault)) return false
  const metadata = fault.$metadata
  return typeof metadata === 'object' && metadata !== null && 'attempts' in metadata && Number(metadata.attempts) > 1
}

/** What may be logged of a fault: its name and reasons, never the items of the request. */
export const describeDynamoFault = (fault: unknown): string => {
  const message = fault instanceof Error ? fault.message : String(fault)
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? String(fault.code) : ''
  return [nameOf(fault), code, ...reasonsOf(fault), message].filter((part) => part !== '').join(' ')
}

/** Any fault of DynamoDB as AppError `unavailable`, to be tried again after a second. */
export const toUnavailable = (fault: unknown): AppError =>
  fault instanceof AppError
    ? fault
    : new AppError(
        'unavailable',
        'service-unavailable',
        'A service that this depends on does not answer; try again in a moment.',
        { cause: new Error(`DynamoDB: ${describeDynamoFault(fault)}`), retryAfterSeconds: 1 },
      )
