import { AppError } from './errors.ts'

export type Queue = <T>(run: () => Promise<T>) => Promise<T>

/** Runs functions one after another, in order. An error reaches only its own caller. */
export const createSerialQueue = (): Queue => {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run)
    last = turn.catch(() => undefined)
    return turn
  }
}

/**
 * Runs functions one after another, in order. An error reaches only its own caller. AppError `unavailable` also reaches all callers
 * that are waiting, because each of them would wait for a timeout of the same service.
 */
export const createQueue = (): Queue => {
  const inTurn = createSerialQueue()
  let outage: { readonly fault: AppError } | undefined
  return (run) => {
    const known = outage
    return inTurn(async () => {
      if (outage !== undefined && outage !== known) throw outage.fault
      try {
        return await run()
      } catch (fault) {
        if (fault instanceof AppError && fault.kind === 'unavailable') outage = { fault }
        throw fault
      }
    })
  }
}

/** Runs `work` for each caller. Callers during a run share the next one, because the current run started too early for them. */
export const createSharedRuns = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  const inTurn = createSerialQueue()
  let waiting: Promise<T> | undefined
  return () => {
    waiting ??= inTurn(() => {
      waiting = undefined
      return work()
    })
    return waiting
  }
}

/** Runs functions with the same key one after another, in order. An error reaches only its own caller. */
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
