import { expect, it } from '@jest/globals'
import { chooseKept } from '../../../../shared/domain/backups/backup.ts'

const backup = (at: string) => ({ id: at, at: `${at}:00:00.000Z` })
/** Backups every six hours for sixty days, newest first. */
const many = Array.from({ length: 240 }, (_, n) =>
  backup(new Date(Date.parse('2026-11-23T18:00:00.000Z') - n * 6 * 3_600_000).toISOString().slice(0, 13)),
)

it('keeps the newest, and the newest of each of the last days and weeks', () => {
  expect([...chooseKept(many, { last: 3, daily: 3, weekly: 3 })]).toEqual([
    ...['2026-11-23T18', '2026-11-23T12', '2026-11-23T06'],
    ...['2026-11-22T18', '2026-11-21T18'],
    // Weeks begin on Monday. The second week ends on 2026-11-22, which is retained already.
    '2026-11-15T18',
  ])
})

it('keeps all of a few, and never none', () => {
  expect(chooseKept(many.slice(0, 4), { last: 8, daily: 7, weekly: 4 }).size).toBe(4)
  expect(chooseKept(many, { last: 1, daily: 0, weekly: 0 }).size).toBe(1)
})

it('keeps the newest verified one, however many unverified ones are newer', () => {
  const good = many.slice(20).map((one) => ({ ...one, verifiedAt: one.at }))
  expect([...chooseKept([...many.slice(0, 20), ...good], { last: 2, daily: 1, weekly: 0 })]).toEqual([
    ...['2026-11-23T18', '2026-11-23T12'],
    '2026-11-18T18',
  ])
})
