import type { FeedMessage } from './feed-link.ts'

/** The number up to which nothing was missed. */
export type SeqTracker = {
  /** A connection begins: where to resume from, undefined the first time. */
  begin(): number | undefined
  take(message: FeedMessage): void
}

/**
 * Goes up by one only. After a cut the first message bears the newest number, and messages may arrive before the answer to `resume`: a
 * further cut must not take those for all.
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
      if (typeof seq !== 'number') return
      const isReset = Reflect.get(message, 'reset') === true
      if (last === undefined || isReset || (!isNew && seq === last + 1)) last = seq
      isNew = false
    },
  }
}
