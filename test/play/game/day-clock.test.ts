import { expect, it } from '@jest/globals'
import { signal } from '@preact/signals'
import { createDayClock } from '../../../play/game/day-clock.ts'
import { defaultSettings } from '../../../play/state/settings.ts'

const minuteMs = 60_000

const hourAt = (serverMs: number): number => createDayClock(signal({ ...defaultSettings }), () => serverMs).hour()

it('has days of thirty minutes and nights of ten, one after the other', () => {
  expect(hourAt(0)).toBe(6)
  expect(hourAt(15 * minuteMs)).toBe(12)
  expect(hourAt(30 * minuteMs)).toBe(18)
  expect(hourAt(35 * minuteMs)).toBe(0)
  expect(hourAt(40 * minuteMs)).toBe(6)
  expect(hourAt(-5 * minuteMs)).toBe(0)
})

it('follows the clock of the server, whatever the delay of messages', () => {
  let nowMs = 0
  const clock = createDayClock(signal({ ...defaultSettings }), () => nowMs)
  expect(clock.hour()).toBe(6)
  clock.tell(15 * minuteMs)
  expect(clock.hour()).toBe(12)
  nowMs = minuteMs
  clock.tell(16 * minuteMs - 900)
  expect(clock.hour()).toBeCloseTo(12.4)
})

it('stops when the player has chosen that', () => {
  const settings = signal({ ...defaultSettings, daylight: 'night' as const })
  const clock = createDayClock(settings, () => 0)
  expect(clock.hour()).toBe(23)
})
