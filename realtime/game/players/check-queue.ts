/** A token that must be checked. */
export type Check = {
  /** False once the connection is closed. */
  readonly isWanted: () => boolean
  /** Reads the stores. Does not reject. */
  readonly run: () => Promise<unknown>
}

/**
 * Runs a few token checks at a time, and skips clients that have left. A rush of clients does not block other users of the stores.
 */
export type CheckQueue = { add(check: Check): void }

const pruneFrom = 256

export const createCheckQueue = (atOnce: number): CheckQueue => {
  let waiting: Check[] = []
  let pruneAt = pruneFrom
  let underWay = 0
  const pump = (): void => {
    while (underWay < atOnce) {
      const next = waiting.shift()
      if (next === undefined) return
      if (!next.isWanted()) continue
      underWay += 1
      void next.run().finally(() => {
        underWay -= 1
        pump()
      })
    }
  }
  return {
    add: (check) => {
      waiting.push(check)
      // Drop clients that have left, even if no check finishes because a store is unavailable.
      if (waiting.length >= pruneAt) {
        waiting = waiting.filter(({ isWanted }) => isWanted())
        pruneAt = Math.max(pruneFrom, waiting.length * 2)
      }
      pump()
    },
  }
}
