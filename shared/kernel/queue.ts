/** Runs what it is given one after another, in order; what one throws reaches its asker alone. */
export type Queue = <T>(run: () => Promise<T>) => Promise<T>

export const createQueue = (): Queue => {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run)
    last = turn.catch(() => undefined)
    return turn
  }
}
