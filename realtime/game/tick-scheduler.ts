import type { Clock } from '../../shared/kernel/clock.ts'

/** The number of missed ticks that are repeated after a stall. Others are skipped. */
const arrearsMax = 3

/** Receives the current time. */
type Tick = (nowMs: number) => void

/**
 * Calls `tick` at a fixed rate. The next call is due one step after the previous one was due, independent of when it ran. Returns a
 * function that stops it.
 */
export const startTicks = (tickRate: number, clock: Clock, tick: Tick): (() => void) => {
  const stepMs = 1000 / tickRate
  let dueMs = clock.monotonic() + stepMs
  let timer: NodeJS.Timeout
  const run = (): void => {
    const nowMs = clock.monotonic()
    dueMs = Math.max(dueMs + stepMs, nowMs - arrearsMax * stepMs)
    schedule()
    tick(nowMs)
  }
  const schedule = (): void => {
    timer = setTimeout(run, Math.max(0, dueMs - clock.monotonic()))
  }
  schedule()
  return () => clearTimeout(timer)
}
