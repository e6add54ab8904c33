import { systemClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { describeDuration } from './duration.ts'
import type { Sanction } from './sanction.ts'

/** When it ends as an instant, for those who look into the rights of others. */
export const describeEndInstant = ({ until }: { readonly until?: string | undefined }): string =>
  until === undefined ? 'It has no end' : `It ends at ${until}`

/** When it ends, for the player: `It ends in 2 hours`. Pages have the instant itself and show it in local time. */
export const describeEnd = ({ until }: { readonly until?: string | undefined }, nowMs = systemClock.now()): string =>
  until === undefined ? 'It has no end' : `It ends in ${describeDuration(Date.parse(until) - nowMs)}`

/** What a banned account is told that has proven who it is, and a banned address before anything: the reason and the end. */
export const accountBanned = ({ address, reason, until }: Pick<Sanction, 'address' | 'reason' | 'until'>): AppError => {
  const who = address === undefined ? 'This account is' : 'Your address is'
  return new AppError('forbidden', 'account-banned', `${who} banned: ${reason} (${describeEnd({ until })}.)`, {
    members: { reason, ...(until !== undefined && { until }) },
  })
}
