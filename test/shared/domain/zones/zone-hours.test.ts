import { describe, expect, it } from '@jest/globals'
import { createLocalClocks } from '../../../../shared/domain/zones/local-clocks.ts'
import { nextResetAt, resetPeriodOf } from '../../../../shared/domain/zones/reset-times.ts'
import type { ZoneSchedule } from '../../../../shared/domain/zones/zone.ts'
import { isZoneActive, nextZoneChange } from '../../../../shared/domain/zones/zone-index.ts'

const clocks = createLocalClocks()
const daily = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** When a zone opens and closes between two instants, computed from its next changes only. */
const changesOf = (schedule: ZoneSchedule, from: string, until: string): string[] => {
  const zone = { enabled: true, ...schedule }
  const changes: string[] = []
  let isOpen = isZoneActive(zone, Date.parse(from), clocks)
  for (let at = nextZoneChange(zone, Date.parse(from), clocks); at !== undefined; at = nextZoneChange(zone, at, clocks)) {
    if (at >= Date.parse(until)) break
    expect(isZoneActive(zone, at - 1, clocks)).toBe(isOpen)
    const next = isZoneActive(zone, at, clocks)
    if (next !== isOpen) changes.push(`${next ? 'opens' : 'closes'} ${new Date(at).toISOString().slice(0, 16)}`)
    isOpen = next
  }
  return changes
}

const berlin = (from: string, to: string, days: readonly (typeof daily)[number][] = daily): ZoneSchedule => ({
  hours: [{ days: [...days], from, to }],
  timeZone: 'Europe/Berlin',
})

describe('hours of a zone', () => {
  it('are in UTC without a time zone', () => {
    const schedule: ZoneSchedule = { hours: [{ days: ['wed'], from: '18:00', to: '23:00' }] }
    expect(changesOf(schedule, '2027-01-01T00:00Z', '2027-01-12T00:00Z')).toEqual([
      'opens 2027-01-06T18:00',
      'closes 2027-01-06T23:00',
    ])
  })

  it('follow the clock across the start and the end of summer time', () => {
    expect(changesOf(berlin('18:00', '23:00', ['sat', 'sun']), '2027-03-27T00:00Z', '2027-03-29T00:00Z')).toEqual([
      'opens 2027-03-27T17:00',
      'closes 2027-03-27T22:00',
      'opens 2027-03-28T16:00',
      'closes 2027-03-28T21:00',
    ])
    expect(changesOf(berlin('18:00', '23:00', ['sat', 'sun']), '2027-10-30T00:00Z', '2027-11-01T00:00Z')).toEqual([
      'opens 2027-10-30T16:00',
      'closes 2027-10-30T21:00',
      'opens 2027-10-31T17:00',
      'closes 2027-10-31T22:00',
    ])
  })

  it('begin and end at the next existing time when the clock skips theirs', () => {
    const [from, until] = ['2027-03-28T00:00Z', '2027-03-28T12:00Z'] as const
    expect(changesOf(berlin('02:30', '05:00'), from, until)).toEqual(['opens 2027-03-28T01:00', 'closes 2027-03-28T03:00'])
    expect(changesOf(berlin('01:30', '02:30'), from, until)).toEqual(['opens 2027-03-28T00:30', 'closes 2027-03-28T01:00'])
    expect(changesOf(berlin('02:10', '02:50'), from, until)).toEqual([])
  })

  it('apply once when the clock shows them twice', () => {
    const [from, until] = ['2027-10-30T23:00Z', '2027-10-31T12:00Z'] as const
    expect(changesOf(berlin('02:15', '02:45'), from, until)).toEqual(['opens 2027-10-31T00:15', 'closes 2027-10-31T00:45'])
    expect(changesOf(berlin('02:30', '05:00'), from, until)).toEqual(['opens 2027-10-31T00:30', 'closes 2027-10-31T04:00'])
  })

  it('that end at or before their start end on the next day', () => {
    expect(changesOf(berlin('22:00', '04:00', ['sat']), '2027-03-26T00:00Z', '2027-04-02T00:00Z')).toEqual([
      'opens 2027-03-27T21:00',
      'closes 2027-03-28T02:00',
    ])
    expect(changesOf(berlin('00:00', '00:00', ['sat', 'sun']), '2027-10-28T00:00Z', '2027-11-03T00:00Z')).toEqual([
      'opens 2027-10-29T22:00',
      'closes 2027-10-31T23:00',
    ])
  })

  it('apply together with opensAt, closesAt and the switch', () => {
    const schedule = { ...berlin('18:00', '23:00'), opensAt: '2027-01-05T20:00:00.000Z', closesAt: '2027-01-06T18:00:00.000Z' }
    expect(changesOf(schedule, '2027-01-04T00:00Z', '2027-01-09T00:00Z')).toEqual([
      'opens 2027-01-05T20:00',
      'closes 2027-01-05T22:00',
      'opens 2027-01-06T17:00',
      'closes 2027-01-06T18:00',
    ])
    const at = Date.parse('2027-01-05T21:00Z')
    expect([true, false].map((enabled) => isZoneActive({ enabled, ...schedule }, at, clocks))).toEqual([true, false])
  })

  it('work far from UTC and with offsets of quarters of an hour', () => {
    for (const [timeZone, opens] of [
      ['Pacific/Kiritimati', '2027-01-05T04:00'],
      ['Pacific/Pago_Pago', '2027-01-05T05:00'],
      ['Asia/Kathmandu', '2027-01-05T12:15'],
    ] as const)
      expect(
        changesOf(
          { hours: [{ days: [...daily], from: '18:00', to: '19:00' }], timeZone },
          '2027-01-05T00:00Z',
          '2027-01-05T13:00Z',
        )[0],
      ).toBe(`opens ${opens}`)
  })
})

describe('resetPeriodOf and nextResetAt', () => {
  it('use the time zone of the zone unless the reset has its own', () => {
    const next = (every: string, timeZone?: string) => {
      const period = resetPeriodOf({ reset: { every }, ...(timeZone !== undefined && { timeZone }) })
      const nowMs = Date.parse('2027-07-01T04:00Z')
      return new Date(nextResetAt(clocks, period, { fromMs: nowMs, nowMs })).toISOString().slice(0, 16)
    }
    expect(next('day at 06:00')).toBe('2027-07-01T06:00')
    expect(next('day at 06:00', 'Europe/Berlin')).toBe('2027-07-02T04:00')
    expect(next('day at 06:00 Asia/Tokyo', 'Europe/Berlin')).toBe('2027-07-01T21:00')
    expect(next('1d', 'Europe/Berlin')).toBe('2027-07-02T04:00')
  })
})
