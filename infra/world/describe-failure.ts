import { AppError } from '../../shared/kernel/errors.ts'
import { errorCode, messageOf } from './system-error.ts'

/** What the system said; domain errors have other facts as their cause. */
const causeOf = ({ cause }: AppError): string[] => (errorCode(cause) === '' ? [] : [`  (${messageOf(cause)})`])

/** Why a command failed, for the operator at the machine: the faults one by one, and what the system said. */
export const describeFailure = (error: unknown): string => {
  if (!(error instanceof AppError)) return messageOf(error)
  const faults = (error.errors ?? []).map(({ pointer = '', message }) => `  ${pointer.slice(1)} ${message}`)
  return [error.publicDetail, ...faults, ...causeOf(error)].join('\n')
}
