/** How late the ticks of a node are. While the event loop is blocked, messages wait, which is not the fault of their senders. */
export type Lateness = {
  /** A tick starts. */
  ticked(nowMs: number): void
  /** The total lateness of ticks up to now, in whole milliseconds. It never decreases. */
  totalMs(nowMs: number): number
}

/** A tick that starts up to one step late counts as on time, because timers are not exact. */
export const createLateness = (tickRate: number): Lateness => {
  const inTimeMs = (2 * 1000) / tickRate
  let totalMs = 0
  let tickedAtMs: number | undefined
  const overdueMs = (nowMs: number): number =>
    tickedAtMs === undefined ? 0 : Math.max(0, Math.floor(nowMs - tickedAtMs - inTimeMs))
  return {
    ticked: (nowMs) => {
      totalMs += overdueMs(nowMs)
      tickedAtMs = nowMs
    },
    totalMs: (nowMs) => totalMs + overdueMs(nowMs),
  }
}
