import type { Duplex } from 'node:stream'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { ActiveSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { closeBanned } from '../feeds/door/close-banned.ts'
import { libraryFeedClosings } from '../feeds/door/feed-closing.ts'
import type { OpenFeed } from '../feeds/door/feed-door.ts'
import type { FeedEnd } from '../feeds/feed-socket.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { SessionConnection } from '../sessions/session.ts'
import type { SocketWithCloseHook } from '../socket/close-hook.ts'
import { libraryClosings } from '../socket/closing.ts'
import { createConnection } from '../socket/player-connection.ts'
import type { SocketSlot } from '../socket/unauthenticated-sockets.ts'
import { receiveFrames, WebSocketPort } from '../socket/web-socket-port.ts'
import type { GameLoop } from './game-loop.ts'

export type LiveSocketsDeps = {
  readonly loop: GameLoop
  readonly settings: () => ServerConfig['realtime']
  readonly activeSanctions: Pick<ActiveSanctions, 'findAddressBan'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: RealtimeMetrics
}

/** A newly accepted socket with its client address. */
export type AcceptedSocket = { readonly socket: SocketWithCloseHook; readonly stream: Duplex; readonly address: string }

/** The open sockets of players and feeds. */
export type LiveSockets = {
  readonly connections: ReadonlySet<SessionConnection>
  openPlayer(accepted: AcceptedSocket, place: SocketSlot): void
  openFeed(accepted: AcceptedSocket, begin: OpenFeed): void
  /** Closes sockets from addresses that are banned now. */
  closeBanned(): void
  /** Resolves when no socket is open. */
  untilNone(): Promise<void>
}

/** Connects sockets to the game loop: a connection for each player, a feed for each page. */
export const createLiveSockets = ({ loop, settings, activeSanctions, clock, log, metrics }: LiveSocketsDeps): LiveSockets => {
  const connections = new Set<SessionConnection>()
  const feeds = new Map<FeedEnd, string>()
  let whenNone: (() => void) | undefined
  const isNone = (): boolean => connections.size === 0 && feeds.size === 0

  return {
    connections,
    openPlayer: ({ socket, stream, address }, place) => {
      const connection = createConnection({
        socket: new WebSocketPort(socket, stream),
        events: loop.connections,
        limits: settings,
        traffic: loop.traffic,
        lateMs: loop.lateMs,
        clock,
        metrics,
        address,
        place,
      })
      connections.add(connection)
      socket.beforeClose = (code) => {
        const closing = libraryClosings.get(code)
        if (closing !== undefined && connection.isOpen()) connection.close(closing)
      }
      receiveFrames(socket, stream, connection)
      socket.on('error', (error) => log.debug({ cause: error.message }, 'a socket failed'))
      socket.on('close', () => {
        connections.delete(connection)
        connection.ended()
        if (isNone()) whenNone?.()
      })
    },
    openFeed: ({ socket, stream, address }, begin) => {
      const feed = begin(new WebSocketPort(socket, stream))
      feeds.set(feed, address)
      // The account or address may have been banned during the upgrade.
      closeBanned({ connections: [], feeds: [[feed, address]], activeSanctions })
      socket.beforeClose = (code) => {
        const closing = libraryFeedClosings.get(code)
        if (closing !== undefined) feed.close(closing)
      }
      receiveFrames(socket, stream, feed)
      socket.on('error', (error) => log.debug({ cause: error.message }, 'the socket of a feed failed'))
      socket.on('close', () => {
        feeds.delete(feed)
        feed.ended()
        if (isNone()) whenNone?.()
      })
    },
    closeBanned: () => closeBanned({ connections, feeds, activeSanctions }),
    untilNone: async () => {
      if (!isNone())
        await new Promise<void>((resolve) => {
          whenNone = resolve
        })
    },
  }
}
