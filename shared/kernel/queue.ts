import { AppError } from './errors.ts'

/**
 * Runs what it is given one after another, in order. What one throws reaches its asker alone. AppError `unavailable` reaches those too who waited meanwhile: each would find the same service away, one patience after the other.
 */
export type Queue = <T>(run: () => Promise<T>) => Promise<T>

export const createQueue = (): Queue => {
  let last: Promise<unknown> = Promise.resolve()
  let outage: { readonly fault: AppError } | undefined
  return (run) => {
    const known = outage
    const turn = last.then(async () => {
      if (outage !== undefined && outage !== known) throw outage.fault
      try {
        return await run()
      } catch (fault) {
        if (fault instanceof AppError && fault.kind === 'unavailable') outage = { fault }
        throw fault
      }
    })
    last = turn.catch(() => undefined)
    return turn
  }
}

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
