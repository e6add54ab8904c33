/** Resolves in another turn of the event loop, so that what waits meanwhile is not held up. */
export const letOthersWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets the long work of several callers go on by turns, so that together they delay others no longer than one of them does. */
export type Turns = {
  /** Resolves in a turn of the event loop in which it resolves for nobody else, first come first served. */
  next(): Promise<void>
}

export const createTurns = (): Turns => {
  const waiting: (() => void)[] = []
  const run = (): void => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(run)
  }
  return {
    next: () =>
      new Promise((resolve) => {
        if (waiting.push(resolve) === 1) setImmediate(run)
      }),
  }
}
