import type { Clock } from '../../../shared/kernel/clock.ts'

/** A clock that moves only by `advance`. Both of its times change together. */
export type FixedClock = Clock & { advance(milliseconds: number): void }

export const createFixedClock = (startMs = Date.parse('2026-01-01T00:00:00.000Z')): FixedClock => {
  let elapsed = 0
  return {
    now: () => startMs + elapsed,
    monotonic: () => elapsed,
    advance: (milliseconds) => {
      elapsed += milliseconds
    },
  }
}
