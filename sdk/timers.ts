/** Time, so that tests can hold it. */
export type Timers = {
  now(): number
  /** Acts once; the answer calls it off. */
  after(ms: number, act: () => void): () => void
  /** The same, and in Node it keeps no program running that has nothing else to do. */
  background(ms: number, act: () => void): () => void
}

const start = (ms: number, act: () => void): { timer: ReturnType<typeof setTimeout>; stop: () => void } => {
  const timer = setTimeout(act, ms)
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
