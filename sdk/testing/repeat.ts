import type { Timers } from '../timers.ts'

/** A delay beyond which missed iterations are skipped: a paused process would run them all at once. */
const behindMsMax = 3_000

/** Repeats until it is stopped. Each iteration has its own due time: after a late timer, all due iterations follow at once. */
export const repeat = (timers: Timers, everyMs: number, work: () => void): (() => void) => {
  let dueAtMs = timers.now() + everyMs
  let isStopped = false
  const wait = (): (() => void) => timers.after(Math.min(everyMs, Math.max(0, dueAtMs - timers.now())), turn)
  const turn = (): void => {
    const nowMs = timers.now()
    // After the clock was changed, continues from the new time.
    if (Math.abs(nowMs - dueAtMs) > behindMsMax) dueAtMs = nowMs
    while (dueAtMs <= nowMs && !isStopped) {
      dueAtMs += everyMs
      work()
    }
    if (!isStopped) cancel = wait()
  }
  let cancel = wait()
  return () => {
    isStopped = true
    cancel()
  }
}
