/** The durations of ticks in milliseconds: median, 99th percentile and maximum. Zeros before the first tick. */
export type TickTimesSummary = { readonly ticks: number; readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number }

/** The durations of the last ticks. */
export type TickTimes = {
  /** Cheap enough for every tick. */
  add(milliseconds: number): void
  summarise(): TickTimesSummary
}

/** Keeps the durations of the last `ticksKept` ticks. 1,200 ticks are one minute at 20 ticks per second. */
export const createTickTimes = (ticksKept = 1200): TickTimes => {
  const ring = new Float64Array(ticksKept)
  let added = 0
  return {
    add: (milliseconds) => {
      ring[added % ticksKept] = milliseconds
      added += 1
    },
    summarise: () => {
      const ticks = Math.min(added, ticksKept)
      const sorted = ring.slice(0, ticks).sort()
      const atMost = (part: number): number => sorted[Math.ceil(ticks * part) - 1] ?? 0
      return { ticks, p50Ms: atMost(0.5), p99Ms: atMost(0.99), maxMs: atMost(1) }
    },
  }
}
