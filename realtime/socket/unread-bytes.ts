/** A message this much over the limit can still be answered before the connection is closed; a socket reads no more than that at once. */
const oversizeBytes = 65_536

/** Bytes that the WebSocket library holds of a message that has not come to its end. */
export type UnreadBytes = {
  /** Whether so many more may be held. */
  add(bytes: number): boolean
  /** A message came to its end. */
  clear(): void
}

/** Holds a client to a limit that may change, which the library would fix when the connection is opened. */
export const createUnreadBytes = (maxMessageBytes: () => number): UnreadBytes => {
  let held = 0
  return {
    add: (bytes) => {
      held += bytes
      return held <= maxMessageBytes() + 2 * oversizeBytes
    },
    clear: () => {
      held = 0
    },
  }
}
