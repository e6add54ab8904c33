import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { RealtimeMetrics, Traffic } from '../metrics/realtime-metrics.ts'
import type { FrameSink } from '../protocol/frame-sink.ts'
import type { ClientMessageKind, ServerMessageKind } from '../protocol/messages.ts'
import type { Closing } from './closing.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { FrameReceiver } from './incoming-frames.ts'
import type { SocketSlot } from './unauthenticated-sockets.ts'

/** What a connection needs of a WebSocket. */
export type SocketPort = {
  /** Neither side has begun to close. */
  isOpen(): boolean
  /** A finished frame; nobody changes it afterwards. */
  write(frame: Uint8Array): void
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  /** Bytes that the client has not read yet, beyond what the system holds. */
  bufferedBytes(): number
}

/** Where a connection's messages go: to the game loop, which takes them in its next tick. */
export type ConnectionEvents<Owner> = {
  received(connection: Connection<Owner>, message: ClientMessageKind): void
  closed(connection: Connection<Owner>): void
  costOf(message: ClientMessageKind): number
}

/** One client's socket with its limits. Whatever a client does, it costs what the limits say and nobody else notices. */
export type Connection<Owner> = FrameSink &
  FrameReceiver & {
    /** Whose connection it is; the game loop's matter. */
    session: Owner | undefined
    /** Of the client, as far as it is known. */
    readonly address: string | undefined
    readonly heartbeats?: Pick<Heartbeats, 'pingMs'>
    /** Asks for a sign of life, and gives up on a client that gave none twice. */
    heartbeat(): void
    /** The socket is gone. */
    ended(): void
    send(message: ServerMessageKind): void
    /** From here on there is a session: messages that waited for it follow. */
    admit(): void
    /** Tells the client why and closes; no message of it counts from here on. */
    close(closing: Closing): void
    /** What `limits` answers is other than before. */
    limitsChanged(): void
  }

export type ConnectionOptions<Owner> = {
  readonly socket: SocketPort
  readonly events: ConnectionEvents<Owner>
  /** Asked for at each use, so that others count from then on. */
  readonly limits: () => ServerConfig['realtime']
  readonly clock: Clock
  /** How late ticks were in all (`Lateness`). */
  readonly lateMs: (nowMs: number) => number
  readonly traffic: Traffic
  readonly metrics: RealtimeMetrics
  readonly address?: string
  /** Which it has until it sends Connect. */
  readonly place: Pick<SocketSlot, 'ask' | 'leave' | 'comeBack'>
}
