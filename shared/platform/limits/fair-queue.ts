import { AppError } from '../../kernel/errors.ts'

type Waiting = { readonly begin: () => void; readonly refuse: () => void }

/** Work of many callers, `slots` at a time. Callers take turns, regardless of how much work each one has. */
export type FairQueue = {
  /**
   * Resolves to the result of `work`. Throws the queue's refusal if too much work waits, and the reason of `signal` if it is aborted
   * first.
   */
  run<T>(caller: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

type FairQueueOptions = {
  readonly slots: number
  /** The maximum waiting work of one caller. */
  readonly waitingMax: number
  /**
   * The maximum waiting work of all callers; unlimited when absent. If it is reached, work of the caller with the most is refused in
   * favour of a caller with less.
   */
  readonly waitingMaxOfAll?: number
  /**
   * The number of past turns that count. Callers with fewer of them go first, so a rare caller does not wait for a turn of each
   * frequent one. When absent, callers take turns in order.
   */
  readonly turnsRemembered?: number
  /** The error for refused work; AppError `unavailable` when absent. */
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
  /** The turns of each caller, with less weight for older ones. */
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

  /** The first of the callers with the fewest turns. */
  const findNext = (): [string, Set<Waiting>] | undefined => {
    let found: [string, Set<Waiting>] | undefined
    for (const entry of callers)
      if (found === undefined || (turns.get(entry[0]) ?? 0) < (turns.get(found[0]) ?? 0)) {
        found = entry
        if (turnsRemembered === 0) break
      }
    return found
  }

  /** Forgets callers without waiting work. */
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

  /**
   * Refuses the newest work of the caller with the most, if that caller then still has more than one with `size` would. Returns whether
   * it did.
   */
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
