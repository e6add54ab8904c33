import { expect, it } from '@jest/globals'
import { accountBanned, describeEnd } from '../../../../shared/domain/sanctions/banned-error.ts'
import { describeDuration, isTooLong } from '../../../../shared/domain/sanctions/duration.ts'

it.each([
  [-1, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [45 * 60_000, '45 minutes'],
  [2 * 3_600_000, '2 hours'],
  [36 * 3_600_000, '2 days'],
  [14 * 86_400_000, '14 days'],
  [28 * 86_400_000, '4 weeks'],
])('describes %d ms as %s', (milliseconds, text) => {
  expect(describeDuration(milliseconds)).toBe(text)
})

it('shows a player the remaining time of a sanction, never an instant', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  expect(describeEnd({ until: '2026-01-01T02:00:00Z' }, nowMs)).toBe('It ends in 2 hours')
  expect(accountBanned({ reason: 'griefing', until: '2999-01-01T00:00:00Z' }).publicDetail).toMatch(
    /^This account is banned: griefing \(It ends in \d+ weeks\.\)$/,
  )
})

it('recognizes too long durations by their form', () => {
  expect(['999999d', '99999999999s'].map(isTooLong)).toEqual([true, true])
  expect(['10m', '0s', 'soon', ''].map(isTooLong)).toEqual([false, false, false, false])
})
