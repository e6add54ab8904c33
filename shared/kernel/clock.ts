export type Clock = {
  /** Milliseconds since the Unix epoch. May jump when the machine's clock is set. */
  now(): number
  /** Milliseconds from an arbitrary start, with fractions. Never goes back. */
  monotonic(): number
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
