import { AppError } from '../kernel/errors.ts'

type Waiting = { readonly begin: () => void }

/** Work of many callers, `slots` at a time: callers have their turns one after another, however much each of them asks for. */
export type FairQueue = {
  /** What `work` resolves to. Throws AppError `unavailable` where the caller has too much waiting, and what `signal` is aborted with before its turn. */
  run<T>(caller: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export const createFairQueue = ({ slots, waitingMax }: { readonly slots: number; readonly waitingMax: number }): FairQueue => {
  /** In the order of their turns. */
  const callers = new Map<string, Set<Waiting>>()
  let running = 0

  const next = (): void => {
    const [first] = callers
    if (first === undefined || running >= slots) return
    const [caller, waiting] = first
    const [one] = waiting
    callers.delete(caller)
    if (one === undefined) return
    waiting.delete(one)
    if (waiting.size > 0) callers.set(caller, waiting)
    running += 1
    one.begin()
  }

  const wait = (caller: string, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const waiting = callers.get(caller) ?? new Set()
      if (waiting.size >= waitingMax) {
        const detail = 'Too much that you asked for waits already; ask again in a moment.'
        throw new AppError('unavailable', 'service-unavailable', detail, { retryAfterSeconds: 2 })
      }
      const giveUp = (): void => {
        waiting.delete(one)
        // Nobody without anything that waits is kept.
        if (waiting.size === 0 && callers.get(caller) === waiting) callers.delete(caller)
        reject(signal?.reason)
      }
      const one: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      callers.set(caller, waiting.add(one))
      next()
    })

  return {
    run: async (caller, work, signal) => {
      await wait(caller, signal)
      try {
        return await work()
      } finally {
        running -= 1
        next()
      }
    },
  }
}
