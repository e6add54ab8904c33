import type { Clock } from './clock.ts'

/** A clock whose time of day can be put right while it runs; `monotonic` stays as it is. */
export type SteeredClock = Clock & {
  /** From now on `now` is so many milliseconds ahead of the clock below, or behind it. */
  steer(offsetMs: number): void
  offsetMs(): number
}

/** As `clock` says, until it is steered. */
export const createSteeredClock = (clock: Clock): SteeredClock => {
  let offset = 0
  return {
    now: () => clock.now() + offset,
    monotonic: () => clock.monotonic(),
    steer: (offsetMs) => {
      offset = offsetMs
    },
    offsetMs: () => offset,
  }
}
