import { describe, expect, it } from '@jest/globals'
import { parsePeriod, printPeriod } from '../../../console/zones/reset-period.ts'

describe('the period of a reset', () => {
  it.each(['day at 06:00', 'day at 23:59 Europe/Berlin', '10m', '12h', '1d', '52w'])('prints %s as it was parsed', (every) => {
    expect(printPeriod(parsePeriod(every))).toBe(every)
  })

  it('shows seconds as whole minutes', () => {
    expect(parsePeriod('1200s')).toMatchObject({ way: 'm', amount: 20 })
  })
})
