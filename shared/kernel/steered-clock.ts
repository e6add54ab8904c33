import type { Clock } from './clock.ts'

/** A clock whose time of day can be corrected while it runs. `monotonic` does not change. */
export type SteeredClock = Clock & {
  /** Sets the offset of `now` from the underlying clock. */
  steer(offsetMs: number): void
  offsetMs(): number
}

/** Follows `clock` until it is steered. */
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
