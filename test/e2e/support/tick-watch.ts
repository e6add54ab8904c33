/** The ticks of a server between two moments, by its own metrics. */
export type Ticking = {
  readonly count: number
  readonly hertz: number
  /** Steps that started more than 100 ms, 250 ms or 1 s after the one before. */
  readonly over100ms: number
  readonly over250ms: number
  readonly over1s: number
}

/**
 * As a share of the tick rate earlier in the same run. A tick that waits falls far below; a tick on a machine with other suites
 * does not.
 */
export const ticksShareMin = 0.25

const name = 'gatehouse_realtime_tick_interval_seconds'

const readTicks = async (metricsUrl: string) => {
  const atMs = performance.now()
  const response = await fetch(metricsUrl, { signal: AbortSignal.timeout(60_000) })
  const text = await response.text()
  const readSeries = (series: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    if (line === undefined) throw new Error(`the server has no metric ${series}`)
    return Number(line.split(' ').at(-1))
  }
  const within = (seconds: number) => readSeries(`${name}_bucket{le="${seconds}"}`)
  return { atMs, count: readSeries(`${name}_count`), within100: within(0.1), within250: within(0.25), within1000: within(1) }
}

/**
 * Starts to watch a server with metrics on this port of the loopback; resolves with a function that returns its ticks since then.
 */
export const watchTicks = async (metricsPort: string): Promise<() => Promise<Ticking>> => {
  const url = `http://127.0.0.1:${metricsPort}/metrics`
  const before = await readTicks(url)
  return async () => {
    const after = await readTicks(url)
    const ticks = after.count - before.count
    return {
      count: ticks,
      hertz: Number(((ticks * 1000) / (after.atMs - before.atMs)).toFixed(2)),
      over100ms: ticks - (after.within100 - before.within100),
      over250ms: ticks - (after.within250 - before.within250),
      over1s: ticks - (after.within1000 - before.within1000),
    }
  }
}
