import type { Clock } from '../../shared/kernel/clock.ts'

/** Steps that may be made up for after a stall; what is beyond is skipped. */
const arrearsMax = 3

/** Takes the time that it is. */
type Tick = (nowMs: number) => void

/** Calls `tick` at a fixed rate: each is due one step after the one before was due, not after it ran. Returns the function that stops it. */
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
