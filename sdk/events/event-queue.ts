import { EventsLostError } from '../errors.ts'

/** A queue of at most `limit` unread events. */
export type EventQueue<T> = AsyncIterableIterator<T> & {
  /** Past the limit the reader gets EventsLostError after the queued events. */
  push(event: T): void
  /** Ends the queue: the reader ends after the queued events, with `error` if there is one. */
  end(error?: unknown): void
}

type Reader<T> = { readonly resolve: (result: IteratorResult<T>) => void; readonly reject: (error: unknown) => void }

/** For `for await`. `onReturn` is called once, when reading ends. */
export const createEventQueue = <T>(limit: number, onReturn: () => void): EventQueue<T> => {
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
