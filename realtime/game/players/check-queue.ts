/** Somebody whose token is to be checked. */
export type Check = {
  /** False once the connection is gone. */
  readonly isWanted: () => boolean
  /** Reads the stores; does not reject. */
  readonly run: () => Promise<unknown>
}

/**
 * Checks of tokens in turn, a few at once: however many come and go, the stores are asked for those alone who are still there, and answer
 * whoever signs in meanwhile.
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
      // Those who left are let go of although nobody's turn comes, as while a store is away.
      if (waiting.length >= pruneAt) {
        waiting = waiting.filter(({ isWanted }) => isWanted())
        pruneAt = Math.max(pruneFrom, waiting.length * 2)
      }
      pump()
    },
  }
}
