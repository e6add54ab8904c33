/** Resolves in another turn of the event loop, so that other work can run in between. */
export const letOthersWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Interleaves the long work of several callers, so that together they delay other work no longer than one of them. */
export type Turns = {
  /** Resolves in a turn of the event loop of its own, first come, first served. */
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
