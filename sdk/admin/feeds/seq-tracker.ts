import type { FeedMessage } from './feed-link.ts'

/** Decides which messages to deliver, so that each is delivered once and in order. */
export type SeqTracker = {
  /** Begins a connection. Returns where to resume, undefined the first time. */
  begin(): number | undefined
  /** Whether to deliver the message. */
  take(message: FeedMessage): boolean
}

/**
 * Numbers increase by one. After a reconnect the first message has the newest number. Messages that the server sends before it
 * has read `resume` arrive ahead of the missed ones. The answer to `resume` repeats them in their place.
 */
export const createSeqTracker = (): SeqTracker => {
  let last: number | undefined
  let isNew = false
  return {
    begin: () => {
      isNew = true
      return last
    },
    take: (message) => {
      const { seq } = message
      if (typeof seq !== 'number') return true
      const isFirst = isNew
      isNew = false
      const isReset = Reflect.get(message, 'reset') === true
      const isNext = last === undefined || isReset || (!isFirst && seq === last + 1)
      if (isNext) last = seq
      return isNext || isFirst
    },
  }
}
