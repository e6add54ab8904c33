import { encodeServerMessage, type FrameKind, type ServerMessageKind } from './protocol/messages.ts'
import type { Session } from './session.ts'
import { createFrame } from './web-socket-frame.ts'

/** Frames to clients that broadcasts may cause in one tick, some 7 µs each; what comes after waits for nothing and is refused. */
const deliveriesPerTickMax = 4_000

/** Messages to everybody, encoded once for each kind of frame. */
export type Broadcasts = {
  /** Whether this tick still had room for it. */
  send(message: ServerMessageKind): boolean
  beginTick(): void
}

export const createBroadcasts = (listSessions: () => Iterable<Session>): Broadcasts => {
  let deliveries = 0
  return {
    beginTick: () => {
      deliveries = 0
    },
    send: (message) => {
      if (deliveries >= deliveriesPerTickMax) return false
      const frames: Partial<Record<FrameKind, Uint8Array>> = {}
      for (const { connection } of listSessions()) {
        if (connection === undefined) continue
        const { kind } = connection
        const frame = frames[kind] ?? createFrame(encodeServerMessage(message, kind), kind)
        frames[kind] = frame
        connection.sendFrame(frame)
        deliveries += 1
      }
      return true
    },
  }
}
