export type StaggerTimes = {
  /** How long a round takes in which each has its turn. */
  readonly everyMs: number
  /** How often a few of them have theirs; a divisor of the above. */
  readonly sliceMs: number
}

/**
 * Visits each of `all`, which may change meanwhile, once a round, a few at a time. As many writes as a full node has sockets would hold a tick up for most of a second. Whoever comes late in a round has its first turn in the next. Returns the function that ends it.
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
