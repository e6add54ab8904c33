import { EventsLostError } from '../errors.ts'

/** A queue of at most `limit` unread events. */
type EventQueue<T> = AsyncIterableIterator<T> & {
  /** Past the limit the reader gets EventsLostError after the queued events. */
  push(event: T): void
  /** Ends the queue: the reader ends after the queued events, with `error` if there is one. */
  end(error?: unknown): void
}

type Reader<T> = { readonly resolve: (result: IteratorResult<T>) => void; readonly reject: (error: unknown) => void }

/** For `for await`. `onReturn` is called once, when reading ends. */
const createEventQueue = <T>(limit: number, onReturn: () => void): EventQueue<T> => {
  const waiting: T[] = []
  let readers: Reader<T>[] = []
  let over: { readonly error?: unknown } | undefined
  let isReturned = false

  const leave = (): void => {
    if (isReturned) return
    isReturned = true
    onReturn()
  }
  const finish = async (): Promise<IteratorResult<T>> => {
    const error = over?.error
    over = {}
    if (error !== undefined) throw error
    return { done: true, value: undefined }
  }
  const end = (error?: unknown): void => {
    if (over !== undefined) return
    over = error === undefined ? {} : { error }
    leave()
    const [first, ...others] = readers
    readers = []
    if (first !== undefined) finish().then(first.resolve, first.reject)
    for (const { resolve } of others) resolve({ done: true, value: undefined })
  }
  const queue: EventQueue<T> = {
    push: (event) => {
      if (over !== undefined) return
      const reader = readers.shift()
      if (reader !== undefined) reader.resolve({ done: false, value: event })
      else if (waiting.length < limit) waiting.push(event)
      else end(new EventsLostError(limit))
    },
    end,
    next: () => {
      const event = waiting.shift()
      if (event !== undefined) return Promise.resolve({ done: false, value: event })
      if (over !== undefined) return finish()
      return new Promise((resolve, reject) => readers.push({ resolve, reject }))
    },
    return: async () => {
      end()
      waiting.length = 0
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => queue,
  }
  return queue
}

/** Options of a loop over events: its end and its limit. */
export type EventsOptions = {
  readonly signal?: AbortSignal
  /** How many events may wait to be read; 1,000 by default. Past it the loop ends with EventsLostError. */
  readonly limit?: number
}

/** Events by name. */
export type EventSource<E> = {
  /**
   * Calls `act` at each event, until the returned function is called. An error of `act` becomes an uncaught error of the
   * program, and reaches no other listener.
   */
  on<N extends keyof E>(name: N, act: (event: E[N]) => void): () => void
  /** For `for await`. Ends when there are no more events, or with the signal's reason when it aborts. */
  events<N extends keyof E>(name: N, options?: EventsOptions): AsyncIterableIterator<E[N]>
}

type EventEmitter<E> = EventSource<E> & {
  emit<N extends keyof E>(name: N, event: E[N]): void
  /** Whether an event has a listener. */
  isHeard(name: keyof E): boolean
  /** Ends all events. */
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
    // A separate function, so that the same `act` may listen twice.
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
