import { createEventQueue } from './event-queue.ts'

/** How a loop over events ends, and how many may wait for it. */
export type EventsOptions = {
  readonly signal?: AbortSignal
  /** How many may wait to be read, 1,000 unless said; past it the reading ends with EventsLostError. */
  readonly limit?: number
}

/** Events by name. */
export type EventSource<E> = {
  /** Calls `act` at each; the answer ends that. What `act` throws reaches the program as an uncaught error, and nobody else. */
  on<N extends keyof E>(name: N, act: (event: E[N]) => void): () => void
  /** For `for await`; ends when no more will come, and with the signal's reason when that is aborted. */
  events<N extends keyof E>(name: N, options?: EventsOptions): AsyncIterableIterator<E[N]>
}

export type EventEmitter<E> = EventSource<E> & {
  emit<N extends keyof E>(name: N, event: E[N]): void
  /** Whether anybody listens to it. */
  isHeard(name: keyof E): boolean
  /** No more events will come. */
  end(): void
}

const throwLater = (error: unknown): void => {
  setTimeout(() => {
    throw error
  })
}

export const createEventEmitter = <E>(): EventEmitter<E> => {
  const listeners = new Map<keyof E, Set<(event: never) => void>>()
  const endings = new Set<() => void>()
  let isOver = false

  const on: EventSource<E>['on'] = (name, act) => {
    if (isOver) return () => undefined
    // Of its own, so that the same function may listen twice.
    const listener: typeof act = (event) => act(event)
    const named = listeners.get(name) ?? new Set()
    listeners.set(name, named.add(listener))
    return () => {
      named.delete(listener)
    }
  }
  return {
    on,
    events: (name, { signal, limit = 1_000 } = {}) => {
      const abort = () => queue.end(signal?.reason)
      const end = () => queue.end()
      const queue = createEventQueue<E[typeof name]>(limit, () => {
        off()
        endings.delete(end)
        signal?.removeEventListener('abort', abort)
      })
      const off = on(name, queue.push)
      endings.add(end)
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
      else if (isOver) end()
      return queue
    },
    emit: (name, event) => {
      const named = listeners.get(name)
      if (named === undefined) return
      for (const listener of [...named])
        try {
          listener(event as never)
        } catch (error) {
          throwLater(error)
        }
    },
    isHeard: (name) => (listeners.get(name)?.size ?? 0) > 0,
    end: () => {
      isOver = true
      for (const end of [...endings]) end()
      listeners.clear()
    },
  }
}
