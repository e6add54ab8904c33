import { AppError } from '../../shared/kernel/errors.ts'

/** The error code of the system or of zlib, such as ENOENT; empty if there is none. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether a system call failed. */
export const isSystemError = (error: unknown): boolean => typeof error === 'object' && error !== null && 'syscall' in error

/** The message of an error. */
export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)

/** The prefix that `toUnavailable` of the storage gives to errors of DynamoDB. */
const ofDynamo = 'DynamoDB: '

const noTables =
  '  The tables do not exist. Create them with npm run tables, at DYNAMODB_ENDPOINT and with names that begin with DYNAMODB_TABLE_PREFIX.'

/** The error of the system or of DynamoDB. The causes of domain errors are other facts. */
const causeOf = ({ cause }: AppError): string[] => {
  const message = messageOf(cause)
  if (errorCode(cause) === '' && !message.startsWith(ofDynamo)) return []
  return [`  (${message})`, ...(message.startsWith(`${ofDynamo}ResourceNotFoundException`) ? [noTables] : [])]
}

/** Why a command failed, for the operator: each fault, unless the detail lists them, and the system error. */
export const describeFailure = (error: unknown): string => {
  if (!(error instanceof AppError)) return messageOf(error)
  const unlisted = error.publicDetail.includes('\n') ? [] : (error.errors ?? [])
  const faults = unlisted.map(({ pointer = '', message }) => `  ${pointer.slice(1)} ${message}`)
  return [error.publicDetail, ...faults, ...causeOf(error)].join('\n')
}
