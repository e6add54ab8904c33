import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createArrivalLog } from '../../../../realtime/world/columns/arrival-log.ts'

const around = fc.integer({ min: -6, max: 6 })
const position = fc.record({ cx: around, cz: around })

it('finds the same recent arrivals as a complete list', () => {
  fc.assert(
    fc.property(
      fc.array(position, { maxLength: 40 }),
      fc.nat(40),
      position,
      fc.integer({ min: 0, max: 4 }),
      (arrived, seen, center, radius) => {
        const log = createArrivalLog()
        for (const pos of arrived) log.add(pos)
        expect(log.count()).toBe(arrived.length)
        const isNear = arrived
          .slice(seen)
          .some(({ cx, cz }) => Math.max(Math.abs(cx - center.cx), Math.abs(cz - center.cz)) <= radius)
        expect(log.hasNear(seen, center, radius)).toBe(isNear)
      },
    ),
  )
})

it('assumes an arrival nearby when its records do not go back far enough', () => {
  const log = createArrivalLog()
  for (let i = 0; i < 1025; i += 1) log.add({ cx: 1000, cz: 1000 })
  expect(log.hasNear(1, { cx: 0, cz: 0 }, 8)).toBe(false)
  expect(log.hasNear(0, { cx: 0, cz: 0 }, 8)).toBe(true)
})

it('loses nothing when it begins to overwrite old records', () => {
  const log = createArrivalLog()
  for (let i = 0; i < 1500; i += 1) log.add({ cx: i, cz: 0 })
  expect(log.hasNear(1498, { cx: 1499, cz: 0 }, 0)).toBe(true)
  expect(log.hasNear(1499, { cx: 1498, cz: 0 }, 0)).toBe(false)
  expect(log.hasNear(600, { cx: 600, cz: 0 }, 0)).toBe(true)
})
