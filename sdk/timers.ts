/** Time, so that tests can control it. */
export type Timers = {
  now(): number
  /** Runs `act` once, after 24.8 days at most, unless the returned function is called first. */
  after(ms: number, act: () => void): () => void
  /** The same. In Node it does not keep a program running that has nothing else to do. */
  background(ms: number, act: () => void): () => void
}

/** 24.8 days: a longer JavaScript timer fires at once. */
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
