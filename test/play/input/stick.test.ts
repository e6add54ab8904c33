import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { placeKnob, readStick } from '../../../play/input/stick.ts'

const push = (dx: number, dy: number) => ({ fromX: 80, fromY: 500, x: 80 + dx, y: 500 + dy })

it('runs straight ahead as soon as diagonally, once the thumb is beyond the ring', () => {
  expect(readStick(push(0, -56)).run).toBe(false)
  expect(readStick(push(0, -80))).toEqual({ forward: 1, right: 0, run: true })
  expect(readStick(push(50, -50)).run).toBe(true)
  expect(readStick(push(40, -40)).run).toBe(false)
})

it('walks slower the less the thumb moves, and never further than the ring', () => {
  expect(readStick(push(28, 0))).toEqual({ forward: 0, right: 0.5, run: false })
  fc.assert(
    fc.property(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }), (dx, dy) => {
      const { forward, right } = readStick(push(dx, dy))
      expect(Math.hypot(forward, right)).toBeLessThanOrEqual(1 + 1e-9)
      const knob = placeKnob(push(dx, dy))
      expect(Math.hypot(knob.x, knob.y)).toBeLessThanOrEqual(56 + 1e-6)
    }),
  )
})
