import { AppError } from '../../shared/kernel/errors.ts'

/** The code that Node gives an error of the system or of zlib, such as ENOENT; empty when it has none. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether a call of the system failed. */
export const isSystemError = (error: unknown): boolean => typeof error === 'object' && error !== null && 'syscall' in error

/** What an error says, in its own words. */
export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)

/** As `toUnavailable` of the storage tells of DynamoDB. */
const ofDynamo = 'DynamoDB: '

const noTables =
  '  The tables are not there: npm run tables creates them at DYNAMODB_ENDPOINT, under names that begin with DYNAMODB_TABLE_PREFIX.'

/** What the system or DynamoDB said; domain errors have other facts as their cause. */
const causeOf = ({ cause }: AppError): string[] => {
  const message = messageOf(cause)
  if (errorCode(cause) === '' && !message.startsWith(ofDynamo)) return []
  return [`  (${message})`, ...(message.startsWith(`${ofDynamo}ResourceNotFoundException`) ? [noTables] : [])]
}

/** Why a command failed, for the operator at the machine: the faults one by one, unless the detail lists them, and what the system said. */
export const describeFailure = (error: unknown): string => {
  if (!(error instanceof AppError)) return messageOf(error)
  const unlisted = error.publicDetail.includes('\n') ? [] : (error.errors ?? [])
  const faults = unlisted.map(({ pointer = '', message }) => `  ${pointer.slice(1)} ${message}`)
  return [error.publicDetail, ...faults, ...causeOf(error)].join('\n')
}
