/** Time, so that tests can hold it. */
export type Timers = {
  now(): number
  /** Acts once, after 24.8 days at most; the answer calls it off. */
  after(ms: number, act: () => void): () => void
  /** The same, and in Node it keeps no program running that has nothing else to do. */
  background(ms: number, act: () => void): () => void
}

/** 24.8 days: a longer timer of JavaScript ends at once. */
const timerMsMax = 2 ** 31 - 1

const start = (ms: number, act: () => void): { timer: ReturnType<typeof setTimeout>; stop: () => void } => {
  const timer = setTimeout(act, Math.min(ms, timerMsMax))
  return { timer, stop: () => clearTimeout(timer) }
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (ms, act) => start(ms, act).stop,
  background: (ms, act) => {
    const { timer, stop } = start(ms, act)
    if (typeof timer === 'object') timer.unref()
    return stop
  },
}
