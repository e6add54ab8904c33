import type { Timers } from '../timers.ts'

/** Behind by more than this, what was missed is left out: a process that was paused would do it all at once. */
const behindMsMax = 3_000

/**
 * Repeats until it is stopped. Each turn is due at a time of its own: where timers come late, the turns that are
 * due by then follow at once.
 */
export const repeat = (timers: Timers, everyMs: number, work: () => void): (() => void) => {
  let dueAtMs = timers.now() + everyMs
  let isStopped = false
  const wait = (): (() => void) => timers.after(Math.min(everyMs, Math.max(0, dueAtMs - timers.now())), turn)
  const turn = (): void => {
    const nowMs = timers.now()
    // A clock that was set back or forward counts from where it is now.
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
