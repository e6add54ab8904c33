export type StaggerTimes = {
  /** The duration of a round. */
  readonly everyMs: number
  /** The interval between two batches. It must divide `everyMs`. */
  readonly sliceMs: number
}

/**
 * Visits each item of `all` once a round, in small batches, because writing to all sockets at once would block a tick. The set may
 * change during a round. A late item gets its first visit in the next round. Returns a function that stops it.
 */
export const visitStaggered = <T>(
  all: ReadonlySet<T>,
  visit: (one: T) => void,
  { everyMs, sliceMs }: StaggerTimes,
): (() => void) => {
  const slices = Math.ceil(everyMs / sliceMs)
  let round = all.values()
  let slice = 0
  const timer = setInterval(() => {
    if (slice === slices) {
      slice = 0
      round = all.values()
    }
    slice += 1
    const turns = Math.ceil(all.size / slices)
    for (let turn = 0; turn < turns; turn += 1) {
      const next = round.next()
      if (next.done) return
      visit(next.value)
    }
  }, sliceMs)
  return () => clearInterval(timer)
}
