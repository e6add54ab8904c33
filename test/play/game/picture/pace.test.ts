import { expect, it } from '@jest/globals'
import { createPace } from '../../../../play/game/picture/pace.ts'

/** The number of drawn frames in one second on a screen of `screen` Hz. */
const count = (pace: ReturnType<typeof createPace>, screen: number, framesMax: number, fromMs = 0): number =>
  Array.from({ length: screen }, (_, at) => fromMs + (at * 1000) / screen).filter((nowMs) => pace.isDue(nowMs, framesMax)).length

it('draws each frame of the screen unless a limit is set', () => {
  expect(count(createPace(), 144, 0)).toBe(144)
})

it.each([
  [60, 30, 30],
  [60, 10, 10],
  [60, 60, 60],
  [144, 30, 29],
  [30, 60, 30],
])('at %i frames a second draws at most %i: %i', (screen, framesMax, drawn) => {
  const found = count(createPace(), screen, framesMax)
  expect(Math.abs(found - drawn)).toBeLessThanOrEqual(1)
})

it('draws at once after a higher limit, and catches up on nothing after a pause', () => {
  const pace = createPace()
  expect(pace.isDue(0, 1)).toBe(true)
  expect(pace.isDue(20, 30)).toBe(true)
  expect(count(pace, 60, 10, 60_000)).toBeLessThanOrEqual(11)
})
