import { AppError } from '../../kernel/errors.ts'

type Waiting = { readonly begin: () => void; readonly refuse: () => void }

/** Work of many callers, `slots` at a time: callers get their turns one after another, however much each of them asks for. */
export type FairQueue = {
  /** What `work` resolves to. Throws the queue's refusal where too much waits, and the reason of `signal` where that is aborted first. */
  run<T>(caller: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

type FairQueueOptions = {
  readonly slots: number
  /** Work of one caller that may wait. */
  readonly waitingMax: number
  /** Work of all callers that may wait; unlimited when absent. Where it is full, the caller with the most gives way to one with less. */
  readonly waitingMaxOfAll?: number
  /**
   * Callers that had fewer turns go first, as far as the last so many turns tell: one that comes rarely does not wait for a turn of each
   * that comes often. When absent, callers take turns in order.
   */
  readonly turnsRemembered?: number
  /** The error for work that may not wait; AppError `unavailable` when absent. */
  readonly refusal?: () => AppError
}

const tooMuch = () =>
  new AppError('unavailable', 'service-unavailable', 'You have too many requests waiting. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

export const createFairQueue = ({
  slots,
  waitingMax,
  waitingMaxOfAll = Number.POSITIVE_INFINITY,
  turnsRemembered = 0,
  refusal = tooMuch,
}: FairQueueOptions): FairQueue => {
  /** In the order of their turns. */
  const callers = new Map<string, Set<Waiting>>()
  /** Turns of each caller, older ones for less. */
  const turns = new Map<string, number>()
  let turnsCounted = 0
  let running = 0
  let waitingOfAll = 0

  const countTurn = (caller: string): void => {
    if (turnsRemembered === 0) return
    turns.set(caller, (turns.get(caller) ?? 0) + 1)
    turnsCounted += 1
    if (turnsCounted < turnsRemembered) return
    turnsCounted = 0
    for (const [known, count] of turns)
      if (count > 1) turns.set(known, count / 2)
      else turns.delete(known)
  }

  /** The first of those that had the fewest turns. */
  const findNext = (): [string, Set<Waiting>] | undefined => {
    let found: [string, Set<Waiting>] | undefined
    for (const entry of callers)
      if (found === undefined || (turns.get(entry[0]) ?? 0) < (turns.get(found[0]) ?? 0)) {
        found = entry
        if (turnsRemembered === 0) break
      }
    return found
  }

  /** A caller without waiting work is not kept. */
  const remove = (caller: string, waiting: Set<Waiting>, one: Waiting): void => {
    waiting.delete(one)
    waitingOfAll -= 1
    if (waiting.size === 0 && callers.get(caller) === waiting) callers.delete(caller)
  }

  const next = (): void => {
    const first = running < slots ? findNext() : undefined
    if (first === undefined) return
    const [caller, waiting] = first
    const [one] = waiting
    callers.delete(caller)
    if (one === undefined) return
    remove(caller, waiting, one)
    if (waiting.size > 0) callers.set(caller, waiting)
    running += 1
    countTurn(caller)
    one.begin()
  }

  /** Refuses the newest work of the caller with the most, if that one keeps more than a caller with `size` would have; whether it did. */
  const makeRoom = (size: number): boolean => {
    let most: [string, Set<Waiting>] | undefined
    for (const entry of callers) if (most === undefined || entry[1].size > most[1].size) most = entry
    const newest = most && [...most[1]].at(-1)
    if (most === undefined || newest === undefined || most[1].size <= size + 1) return false
    remove(most[0], most[1], newest)
    newest.refuse()
    return true
  }

  const wait = (caller: string, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const size = callers.get(caller)?.size ?? 0
      const isFull = running >= slots && waitingOfAll >= waitingMaxOfAll
      if (size >= waitingMax || (isFull && !makeRoom(size))) throw refusal()
      const waiting = callers.get(caller) ?? new Set()
      const giveUp = (): void => {
        remove(caller, waiting, one)
        reject(signal?.reason)
      }
      const one: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
        refuse: () => {
          signal?.removeEventListener('abort', giveUp)
          reject(refusal())
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      callers.set(caller, waiting.add(one))
      waitingOfAll += 1
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
