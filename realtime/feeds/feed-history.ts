/** The last messages of a zone as finished frames: at most 1,024, fewer if they are very large. */
export type FeedHistory = {
  add(frame: Buffer): void
  /**
   * The messages after `seq`, oldest first, if `last` is the newest. Undefined if some are no longer retained or `seq` is in the
   * future.
   */
  after(seq: number, last: number): readonly Buffer[] | undefined
}

type FeedHistoryLimits = { readonly messages: number; readonly bytes: number }

const defaultLimits: FeedHistoryLimits = { messages: 1024, bytes: 8 * 2 ** 20 }

export const createFeedHistory = (limits: FeedHistoryLimits = defaultLimits): FeedHistory => {
  const held: Buffer[] = []
  let bytes = 0
  return {
    add: (frame) => {
      held.push(frame)
      bytes += frame.length
      while (held.length > limits.messages || bytes > limits.bytes) bytes -= held.shift()?.length ?? 0
    },
    after: (seq, last) => {
      const missed = last - seq
      if (missed < 0 || missed > held.length) return undefined
      return missed === 0 ? [] : held.slice(-missed)
    },
  }
}
