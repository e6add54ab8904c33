import { systemClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { describeDuration } from './duration.ts'
import type { Sanction } from './sanction.ts'

/** The end as an instant, for admins. */
export const describeEndInstant = ({ until }: { readonly until?: string | undefined }): string =>
  until === undefined ? 'It has no end' : `It ends at ${until}`

/** The end for the player: `It ends in 2 hours`. Pages have the instant and show it in local time. */
export const describeEnd = ({ until }: { readonly until?: string | undefined }, nowMs = systemClock.now()): string =>
  until === undefined ? 'It has no end' : `It ends in ${describeDuration(Date.parse(until) - nowMs)}`

/** The refusal of a banned account or address, with the reason and the end. An account must have proven its identity first. */
export const accountBanned = ({ address, reason, until }: Pick<Sanction, 'address' | 'reason' | 'until'>): AppError => {
  const who = address === undefined ? 'This account is' : 'Your address is'
  return new AppError('forbidden', 'account-banned', `${who} banned: ${reason} (${describeEnd({ until })}.)`, {
    members: { reason, ...(until !== undefined && { until }) },
  })
}
