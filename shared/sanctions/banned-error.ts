import { AppError } from '../kernel/errors.ts'
import type { Sanction } from './sanction.ts'

/** When it ends, for people. */
export const describeEnd = ({ until }: { readonly until?: string | undefined }): string =>
  until === undefined ? 'It has no end' : `It ends at ${until}`

/** What a banned account is told that has proven who it is, and a banned address before anything: the reason and the end. */
export const accountBanned = ({ address, reason, until }: Pick<Sanction, 'address' | 'reason' | 'until'>): AppError => {
  const who = address === undefined ? 'This account is' : 'Your address is'
  return new AppError('forbidden', 'account-banned', `${who} banned: ${reason} (${describeEnd({ until })}.)`, {
    members: { reason, ...(until !== undefined && { until }) },
  })
}
