/** How late the ticks of a node are. While the event loop is held up, messages wait through no fault of their senders. */
export type Lateness = {
  /** A tick begins. */
  ticked(nowMs: number): void
  /** Milliseconds that ticks were late since the start, this moment included; whole, and never less than before. */
  totalMs(nowMs: number): number
}

/** A tick may begin one step late and counts as in time: timers are not exact. */
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
