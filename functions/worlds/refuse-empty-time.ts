import { AppError } from '../../shared/kernel/errors.ts'

/** Throws AppError `unprocessable` if `until` is before `since`: no time is in between, so one of the two is a mistake. */
export const refuseEmptyTime = ({ since, until }: { readonly since?: string; readonly until?: string }): void => {
  if (since === undefined || until === undefined || Date.parse(since) <= Date.parse(until)) return
  throw new AppError('unprocessable', 'rule-broken', '`until` is before `since`. Choose a later `until`.', {
    errors: [{ pointer: '/until', message: 'must not be before since' }],
  })
}
