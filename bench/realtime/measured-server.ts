export type TickFrames = { readonly count: number; readonly size: number }

/** The report of a server process for the time between `begin` and `end`. */
export type ServerMeasure = {
  readonly wallMs: number
  readonly cpuMs: number
  readonly ticks: number
  /** The lowest rate over any two consecutive seconds. */
  readonly slowestHz: number
  readonly tickP99Ms: number
  readonly tickMaxMs: number
  /** The 99th percentile of the time between the starts of two ticks, which includes other holds of the loop. */
  readonly gapP99Ms: number
  readonly frames: number
  readonly bytes: number
  /** The number of frames in each tick, and their mean size, for the bare server to send the same. */
  readonly tickFrames: readonly TickFrames[]
  readonly rssMiB: number
  /** The number of refused moves. */
  readonly refusedMoves: number
  /** Delivered positions of others, for references that count them; otherwise 0. */
  readonly updates: number
}

export type ServerCounters = {
  tick(durationMs: number): void
  /** Counts sent frames, with their total bytes. */
  frames(count: number, bytes: number): void
  refusedMove(): void
  /** Counts delivered positions of others. */
  updates(count: number): void
}

const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** Answers `begin` and `end` of the bench over the process channel; the server calls the counters. */
export const measureServer = (): ServerCounters => {
  let startedAt = performance.now()
  let cpu = process.cpuUsage()
  let frames = 0
  let bytes = 0
  let refusedMoves = 0
  let updates = 0
  let tickFrames: TickFrames[] = []
  let tickTimes: number[] = []
  let tickDurations: number[] = []
  const begin = () => {
    startedAt = performance.now()
    cpu = process.cpuUsage()
    frames = 0
    bytes = 0
    refusedMoves = 0
    updates = 0
    tickFrames = []
    tickTimes = []
    tickDurations = []
  }
  const findSlowestHz = (): number => {
    const windowMs = 2000
    const rates = tickTimes.flatMap((from, index) => {
      const next = tickTimes.findIndex((time, at) => at > index && time >= from + windowMs)
      return next < 0 ? [] : [((next - index) * 1000) / ((tickTimes[next] ?? 0) - from)]
    })
    return Math.min(...rates)
  }
  const end = (): ServerMeasure => {
    const used = process.cpuUsage(cpu)
    const { rss } = process.memoryUsage()
    return {
      wallMs: performance.now() - startedAt,
      cpuMs: (used.user + used.system) / 1000,
      ticks: tickTimes.length,
      slowestHz: findSlowestHz(),
      tickP99Ms: percentile(tickDurations, 0.99),
      tickMaxMs: percentile(tickDurations, 1),
      gapP99Ms: percentile(
        tickTimes.slice(1).map((time, index) => time - (tickTimes[index] ?? 0)),
        0.99,
      ),
      frames,
      bytes,
      tickFrames,
      rssMiB: rss / 2 ** 20,
      refusedMoves,
      updates,
    }
  }
  process.on('message', (message) => {
    if (message === 'begin') begin()
    if (message === 'end') process.send?.({ measure: end() })
    if (message === 'stop') process.exit(0)
    if (message === 'memory') {
      globalThis.gc?.()
      process.send?.({ rssMiB: process.memoryUsage().rss / 2 ** 20 })
    }
  })
  process.on('disconnect', () => process.exit(0))
  return {
    tick: (durationMs) => {
      tickTimes.push(performance.now())
      tickDurations.push(durationMs)
    },
    refusedMove: () => {
      refusedMoves += 1
    },
    updates: (count) => {
      updates += count
    },
    frames: (count, size) => {
      frames += count
      bytes += size
      if (tickFrames.length < 2000) tickFrames.push({ count, size: count === 0 ? 0 : Math.round(size / count) })
    },
  }
}
