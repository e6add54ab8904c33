import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Daylight, daylightAt } from '../../../play/render/daylight.ts'

const hours = fc.double({ min: 0, max: 24, noNaN: true })
const flat = ({ sun: _sun, sides, stars, ...lights }: Daylight): readonly number[] => [
  ...Object.values(lights).flat(),
  ...sides,
  stars,
]

it('rises in the east at six, is high at noon, and sets in the west', () => {
  expect(daylightAt(6).sun[0]).toBeGreaterThan(0.9)
  expect(daylightAt(6).sun[1]).toBeCloseTo(0)
  expect(daylightAt(12).sun[1]).toBeGreaterThan(0.9)
  expect(daylightAt(18).sun[0]).toBeLessThan(-0.9)
  expect(daylightAt(0).sun[1]).toBeLessThan(-0.9)
})

it('shows the exact colours of blocks at noon, and stars only at night', () => {
  expect(daylightAt(12)).toMatchObject({ sky: [1, 1, 1], stars: 0 })
  expect(daylightAt(12).sides[2]).toBeCloseTo(1, 1)
  expect(daylightAt(0).stars).toBe(1)
})

it('lights the side that faces the sun, within the limits of night and screen', () => {
  expect(daylightAt(7).sides[0]).toBeGreaterThan(daylightAt(17).sides[0] ?? 1)
  fc.assert(
    fc.property(hours, (hour) => {
      for (const value of flat(daylightAt(hour))) expect(value >= 0 && value <= 1.05).toBe(true)
      for (const part of daylightAt(hour).sky) expect(part).toBeGreaterThanOrEqual(0.45)
      expect(Math.hypot(...daylightAt(hour).sun)).toBeCloseTo(1)
    }),
  )
})

it('changes without a jump, also at midnight', () => {
  fc.assert(
    fc.property(hours, (hour) => {
      const [now, later] = [flat(daylightAt(hour)), flat(daylightAt((hour + 0.01) % 24))]
      now.forEach((value, at) => void expect(Math.abs(value - (later[at] ?? 0))).toBeLessThan(0.02))
    }),
  )
})
