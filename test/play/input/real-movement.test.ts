import { expect, it } from '@jest/globals'
import { createRealMovement, type Movement } from '../../../play/input/real-movement.ts'

/** The total turn to the right after steps with that frequency. */
const turn = (eventsPerSecond: number, ...steps: readonly number[]): number => {
  const read = createRealMovement()
  const events = steps.map((movementX, at) => ({ movementX, movementY: 0, timeStamp: (at * 1_000) / eventsPerSecond }))
  return events.map(read).reduce((sum, [dx]) => sum + dx, 0)
}

it('turns as far as a fast hand, on a page that gets events 30 times a second', () => {
  expect(turn(30, 120, 480, 900, 620, 90)).toBe(2_210)
  expect(turn(30, -20, -700, -400, -30)).toBe(-1_150)
  expect(turn(30, 600, 500)).toBe(1_100)
})

it.each([30, 60, 125])('drops one huge step without a similar neighbour, at %i events a second', (eventsPerSecond) => {
  expect(turn(eventsPerSecond, 10, 12, 600, 11, 9)).toBe(42)
  expect(turn(eventsPerSecond, 10, 12, -600, 11, 9)).toBe(42)
  expect(turn(eventsPerSecond, 200, 240, -600, 210)).toBe(650)
  // There and back.
  expect(turn(eventsPerSecond, 5, 640, -640, 5)).toBe(10)
  // While the pointer is being locked.
  expect(turn(eventsPerSecond, 500, 0, 3)).toBe(3)
})

it('does not compare a huge step with a neighbour of another movement', () => {
  expect(turn(2, 400, 500)).toBe(0)
})

it('checks a huge step on both axes', () => {
  const read = createRealMovement()
  const steps = [
    [100, -90],
    [400, -380],
    [-60, 500],
  ] as const
  const told = steps.map(([movementX, movementY], at) => read({ movementX, movementY, timeStamp: at * 33 }))
  expect(told).toEqual([
    [100, -90],
    [400, -380],
    [0, 0],
  ])
})

it('treats the many small steps of a slow page as one, and drops the glitch among them', () => {
  const stepsOf = (...steps: readonly number[]): Movement => ({
    movementX: steps.reduce((sum, step) => sum + step, 0),
    movementY: 0,
    timeStamp: 0,
    getCoalescedEvents: () => steps.map((movementX) => ({ movementX, movementY: 0, timeStamp: 0 })),
  })
  expect(createRealMovement()(stepsOf(90, 130, 150, 80))).toEqual([450, 0])
  expect(createRealMovement()(stepsOf(10, -700, 12))).toEqual([22, 0])
})

it('uses the whole event when the sum of its steps differs', () => {
  const event = { movementX: 100, movementY: 7, timeStamp: 0, getCoalescedEvents: () => [] }
  expect(createRealMovement()(event)).toEqual([100, 7])
  const step = { movementX: 0, movementY: 0, timeStamp: 0 }
  expect(createRealMovement()({ ...event, getCoalescedEvents: () => [step] })).toEqual([100, 7])
})
