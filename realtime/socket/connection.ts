import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { RealtimeMetrics, Traffic } from '../metrics/realtime-metrics.ts'
import type { ClientMessageKind, FrameKind, FrameSink, ServerMessageKind } from '../protocol/messages.ts'
import type { Closing } from './closing.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { SocketSlot } from './unauthenticated-sockets.ts'

/** The part of a WebSocket that a connection uses. */
export type SocketPort = {
  /** Whether neither side has started to close. */
  isOpen(): boolean
  /** Writes a finished frame, which must not change afterwards. */
  write(frame: Uint8Array): void
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  /** The number of unread bytes, except those that the system holds. */
  bufferedBytes(): number
}

/** Receives the messages of a connection. The game loop handles them in its next tick. */
export type ConnectionEvents<Owner> = {
  received(connection: Connection<Owner>, message: ClientMessageKind): void
  closed(connection: Connection<Owner>): void
  costOf(message: ClientMessageKind): number
}

/** The part of a connection that limits the messages of its client. */
export type FrameReceiver = {
  /** False after the server has closed the connection. */
  isOpen(): boolean
  receive(data: Uint8Array, kind: FrameKind): void
  /** Pays for a ping or pong from the budget of messages. Returns whether to answer a ping. */
  payFor(frame: 'ping' | 'pong'): boolean
  /** `ws` holds this many bytes of an unfinished message. Closes the connection if that is too much. */
  checkUnfinished(bytes: number): void
}

/** The server side of one client's socket. Its limits protect all other clients. */
export type Connection<Owner> = FrameSink &
  FrameReceiver & {
    /** The owner of the connection. Used by the game loop only. */
    session: Owner | undefined
    /** The address of the client, if it is known. */
    readonly address: string | undefined
    readonly heartbeats?: Pick<Heartbeats, 'pingMs'>
    /** Sends a ping. Closes the connection if the client did not answer twice. */
    heartbeat(): void
    /** The socket has closed. */
    ended(): void
    send(message: ServerMessageKind): void
    /** The session exists. Passes on the messages that waited for it. */
    admit(): void
    /** Sends the reason and closes. Later messages are ignored. */
    close(closing: Closing): void
    /** `limits` has changed. */
    limitsChanged(): void
  }

export type ConnectionOptions<Owner> = {
  readonly socket: SocketPort
  readonly events: ConnectionEvents<Owner>
  /** Read at each use, so that changes apply at once. */
  readonly limits: () => ServerConfig['realtime']
  readonly clock: Clock
  /** The total lateness of ticks, see `Lateness`. */
  readonly lateMs: (nowMs: number) => number
  readonly traffic: Traffic
  readonly metrics: RealtimeMetrics
  readonly address?: string
  /** The slot of the address, until the client is admitted. */
  readonly place: Pick<SocketSlot, 'ask' | 'leave' | 'comeBack'>
}
