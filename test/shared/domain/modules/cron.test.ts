import { describe, expect, it } from '@jest/globals'
import { createSchedule } from '../../../../shared/domain/modules/cron.ts'

const start = new Date(2026, 5, 1, 12, 0, 30).getTime()

describe('createSchedule', () => {
  it('has each run due once, at its minute', () => {
    const schedule = createSchedule('*/5 * * * *', start)
    const seconds = Array.from({ length: 600 }, (_, at) => at)
    expect(seconds.filter((at) => schedule.isDue(start + at * 1000))).toEqual([270, 570])
  })

  it('does not repeat a run when the clock is set back', () => {
    const schedule = createSchedule('1 12 * * *', start)
    expect(schedule.isDue(start + 30_000)).toBe(true)
    expect(schedule.isDue(start)).toBe(false)
    expect(schedule.isDue(start + 30_000)).toBe(false)
  })

  it('leaves out runs that the process slept through', () => {
    const schedule = createSchedule('0 * * * *', start)
    expect(schedule.isDue(start + 86_400_000)).toBe(false)
    expect(schedule.isDue(start + 86_400_000 + 3_570_000)).toBe(true)
  })

  it.each(['* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', 'x * * * *', '5-1 * * * *', '*/0 * * * *'])(
    'refuses %s',
    (expression) => {
      expect(() => createSchedule(expression, start)).toThrow('CronPattern')
    },
  )
})
