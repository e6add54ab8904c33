import { describe, expect, it } from '@jest/globals'
import { createCronClock, type LocalMinute, parseCron } from '../../../../shared/domain/modules/cron.ts'

const at = (more: Partial<LocalMinute>): LocalMinute => ({ minute: 0, hour: 0, day: 1, month: 1, weekday: 3, ...more })

describe('parseCron', () => {
  it.each([
    ['* * * * *', at({}), true],
    ['*/15 * * * *', at({ minute: 45 }), true],
    ['*/15 * * * *', at({ minute: 46 }), false],
    ['0 18 * * 5', at({ hour: 18, weekday: 5 }), true],
    ['0 18 * * fri', at({ hour: 18, weekday: 4 }), false],
    ['0 0 * * 7', at({ weekday: 0 }), true],
    ['30 6-8 1,15 * *', at({ minute: 30, hour: 7, day: 15 }), true],
    ['0 0 13 * 5', at({ day: 13, weekday: 1 }), true],
    ['0 0 13 * 5', at({ day: 12, weekday: 5 }), true],
    ['0 0 1 jan *', at({ month: 2 }), false],
  ])('reads %s', (text, local, matches) => {
    expect(parseCron(text).matches(local)).toBe(matches)
  })

  it.each(['* * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', 'x * * * *', '5-1 * * * *', '*/0 * * * *'])(
    'refuses %s',
    (text) => {
      expect(() => parseCron(text)).toThrow(RangeError)
    },
  )
})

describe('createCronClock', () => {
  const start = new Date(2026, 5, 1, 12, 0, 30).getTime()

  it('returns each minute once', () => {
    const clock = createCronClock(start)
    expect(clock.take(start + 20_000)).toEqual([])
    expect(clock.take(start + 30_000)).toEqual([{ minute: 1, hour: 12, day: 1, month: 6, weekday: 1 }])
    expect(clock.take(start + 60_000)).toEqual([])
  })

  it('does not make up minutes that it slept through', () => {
    const clock = createCronClock(start)
    expect(clock.take(start + 86_400_000)).toHaveLength(1)
  })
})
