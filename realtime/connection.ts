import type { ServerConfig } from '../shared/configs/server-config.ts'
import type { Clock } from '../shared/kernel/clock.ts'
import { type Closing, closings } from './closing.ts'
import type { FrameFate, FrameSink } from './interest/viewer.ts'
import {
  type ClientMessageKind,
  decodeClientFrame,
  encodeServerMessage,
  type FrameKind,
  type ServerMessageKind,
} from './protocol/messages.ts'
import type { RealtimeMetrics, Traffic } from './realtime-metrics.ts'
import type { Session } from './session.ts'
import { createTokenBucket } from './token-bucket.ts'
import { createFrame } from './web-socket-frame.ts'

/** Bytes that a message may have before there is a session. */
const firstMessageBytesMax = 8192

/** Messages that may wait for a session that is being made. */
const waitingMax = 64

/** How long a client may take to answer a close, in milliseconds. */
const closeGraceMs = 2000

const missedPongsMax = 2

/** What a connection needs of a WebSocket. */
export type SocketPort = {
  /** A finished frame; nobody changes it afterwards. */
  write(frame: Uint8Array): void
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  /** Bytes that the client has not read yet, beyond what the system holds. */
  bufferedBytes(): number
}

/** Where a connection's messages go: to the game loop, which takes them in its next tick. */
export type ConnectionEvents = {
  received(connection: Connection, message: ClientMessageKind): void
  closed(connection: Connection): void
  costOf(message: ClientMessageKind): number
}

/** One client's socket with its limits. Whatever a client does, it costs what the limits say and nobody else notices. */
export type Connection = FrameSink & {
  /** Whose connection it is; the game loop's matter. */
  session: Session | undefined
  receive(data: Uint8Array, kind: FrameKind): void
  /** Something came from the client: it is alive. */
  pong(): void
  /** Asks for a sign of life, and gives up on a client that gave none twice. */
  heartbeat(): void
  /** The socket is gone. */
  ended(): void
  send(message: ServerMessageKind): void
  /** From here on there is a session: messages that waited for it follow. */
  admit(): void
  /** Whether frames still reach the client. */
  isOpen(): boolean
  /** Tells the client why and closes; no message of it counts from here on. */
  close(closing: Closing): void
  /** What `limits` answers is other than before. */
  limitsChanged(): void
}

export type ConnectionOptions = {
  readonly socket: SocketPort
  readonly events: ConnectionEvents
  /** Asked for at each use, so that others count from then on. */
  readonly limits: () => ServerConfig['realtime']
  readonly clock: Clock
  readonly traffic: Traffic
  readonly metrics: RealtimeMetrics
}

/** A connection that waits for its Connect. */
export const createConnection = ({ socket, events, limits, clock, traffic, metrics }: ConnectionOptions): Connection => {
  const bucket = createTokenBucket(limits, clock.monotonic())
  let phase: 'new' | 'connecting' | 'open' | 'closing' = 'new'
  let isKindKnown = false
  let missedPongs = 0
  let waiting: ClientMessageKind[] = []
  let grace: NodeJS.Timeout | undefined
  const openedMs = clock.monotonic()
  let patience: NodeJS.Timeout | undefined

  const beginPatience = (): void => {
    const leftMs = openedMs + limits().connectTimeoutMs - clock.monotonic()
    patience = setTimeout(() => connection.close(closings.notConnected), Math.max(0, leftMs))
  }

  // A frame that has to wait is copied: it would hold on to the memory of all that was made beside it.
  const write = (frame: Uint8Array, buffered: number): FrameFate => {
    traffic.framesOut += 1
    traffic.bytesOut += frame.length
    if (buffered === 0) {
      socket.write(frame)
      return socket.bufferedBytes() === 0 ? 'written' : 'waiting'
    }
    socket.write(new Uint8Array(frame))
    return 'written'
  }

  const begin = (message: ClientMessageKind): void => {
    if (message.$case === 'connect') {
      phase = 'connecting'
      clearTimeout(patience)
      events.received(connection, message)
    } else connection.close(closings.notConnected)
  }

  const accept = (message: ClientMessageKind): void => {
    if (phase === 'open') events.received(connection, message)
    else if (phase === 'new') begin(message)
    else if (waiting.push(message) > waitingMax) connection.close(closings.tooMany)
  }

  const refuse = (code: string, message: string): void => {
    if (phase === 'new') connection.close(closings.notConnected)
    else connection.send({ $case: 'error', value: { code, message } })
  }

  /** Garbage costs as much again, an expensive message what it says. */
  const read = (data: Uint8Array, frameKind: FrameKind, now: number): void => {
    const decoded = decodeClientFrame(data, frameKind)
    const extra = decoded.ok ? events.costOf(decoded.message) - 1 : 1
    if (extra > 0 && !bucket.take(extra, now)) connection.close(closings.tooMany)
    else if (decoded.ok) accept(decoded.message)
    else refuse(decoded.code, decoded.detail)
  }

  // A field, not an accessor: objects with accessors of their own are dictionaries to the engine, and this one is asked for every frame.
  const connection: Connection & { kind: FrameKind } = {
    session: undefined,
    kind: 'binary',
    receive: (data, frameKind) => {
      if (phase === 'closing') return
      if (!isKindKnown) {
        isKindKnown = true
        connection.kind = frameKind
      }
      missedPongs = 0
      traffic.messagesIn += 1
      traffic.bytesIn += data.length
      const now = clock.monotonic()
      if (data.length > (phase === 'open' ? limits().maxMessageBytes : firstMessageBytesMax)) connection.close(closings.tooLarge)
      else if (bucket.take(1, now)) read(data, frameKind, now)
      else connection.close(closings.tooMany)
    },
    pong: () => {
      missedPongs = 0
    },
    heartbeat: () => {
      if (missedPongs >= missedPongsMax) socket.terminate()
      else socket.ping()
      missedPongs += 1
    },
    ended: () => {
      clearTimeout(patience)
      clearTimeout(grace)
      waiting = []
      phase = 'closing'
      events.closed(connection)
    },
    send: (message) => {
      connection.sendFrame(createFrame(encodeServerMessage(message, connection.kind), connection.kind))
    },
    sendFrame: (frame) => {
      if (phase === 'closing') return 'left-out'
      const buffered = socket.bufferedBytes()
      if (buffered <= limits().outgoingBufferBytes) return write(frame, buffered)
      connection.close(closings.tooSlow)
      return 'left-out'
    },
    sendMovement: (frame) => {
      if (phase === 'closing') return 'written'
      const buffered = socket.bufferedBytes()
      return buffered > limits().outgoingBufferBytes / 2 ? 'left-out' : write(frame, buffered)
    },
    isCongested: () => socket.bufferedBytes() > limits().outgoingBufferBytes / 2,
    spareBytes: () => limits().outgoingBufferBytes / 4 - socket.bufferedBytes(),
    isOpen: () => phase !== 'closing',
    admit: () => {
      if (phase !== 'connecting') return
      phase = 'open'
      for (const message of waiting) events.received(connection, message)
      waiting = []
    },
    close: (closing) => {
      if (phase === 'closing') return
      phase = 'closing'
      clearTimeout(patience)
      waiting = []
      const { closeCode, ...kick } = closing
      metrics.countClosing(kick.code)
      if (isKindKnown && closing !== closings.left)
        write(createFrame(encodeServerMessage({ $case: 'kick', value: kick }, connection.kind), connection.kind), 0)
      grace = setTimeout(() => socket.terminate(), closeGraceMs)
      socket.close(closeCode, kick.code)
    },
    limitsChanged: () => {
      if (phase !== 'new') return
      clearTimeout(patience)
      beginPatience()
    },
  }
  beginPatience()
  return connection
}
