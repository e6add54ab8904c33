import type { FeedMessage } from './feed-link.ts'

/** Which messages are told, so that each is, once and in its order. */
export type SeqTracker = {
  /** A connection begins: where to resume from, undefined the first time. */
  begin(): number | undefined
  /** Whether the message is to be told. */
  take(message: FeedMessage): boolean
}

/**
 * Numbers go up by one. After a cut the first message bears the newest number, and what happens before the server has read `resume` arrives ahead of what was missed. The answer to `resume` has it once more, in its place.
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
