import { AppError } from '../kernel/errors.ts'
import type { ReadinessReport } from './readiness.ts'

/** What a process that is not ready answers: `unavailable`, with the names of what is down. */
export const describeNotReady = ({ dependencies }: ReadinessReport): AppError => {
  const names = dependencies.filter(({ ok }) => !ok).map(({ name }) => name)
  return new AppError('unavailable', 'service-unavailable', `Not ready: ${names.join(', ')}.`)
}
