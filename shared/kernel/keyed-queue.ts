/** Runs what is asked for under one key one after another, in order; what one throws reaches its asker alone. */
export type KeyedQueue = <T>(key: string, run: () => Promise<T>) => Promise<T>

export const createKeyedQueue = (): KeyedQueue => {
  const last = new Map<string, Promise<unknown>>()
  return async (key, run) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(run)
    const settled = turn.catch(() => undefined)
    last.set(key, settled)
    try {
      return await turn
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}
