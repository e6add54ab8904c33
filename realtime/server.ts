import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { ServerConfig } from '../shared/configs/server-config.ts'
import type { Clock } from '../shared/kernel/clock.ts'
import type { Ids } from '../shared/kernel/ids.ts'
import type { Log } from '../shared/kernel/log.ts'
import { type Closing, closings, goingAway } from './closing.ts'
import { type Connection, createConnection, type SocketPort } from './connection.ts'
import type { AdmittedFeed } from './feeds/authenticate-feed.ts'
import { feedClosings } from './feeds/feed-closing.ts'
import { feedProtocol } from './feeds/feed-credential.ts'
import { createFeedDoor } from './feeds/feed-door.ts'
import { feedMessageBytesMax } from './feeds/feed-messages.ts'
import { zoneIdIn } from './feeds/feed-path.ts'
import type { FeedSocket } from './feeds/feed-socket.ts'
import type { OriginRules } from './feeds/is-own-origin.ts'
import type { GameLoop } from './game-loop.ts'
import type { PlainAnswers } from './health.ts'
import { listenForUpgrades } from './listen-for-upgrades.ts'
import { takePlainFrames } from './plain-frames.ts'
import type { RealtimeMetrics } from './realtime-metrics.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import { startTicks } from './tick-scheduler.ts'
import { createUnreadBytes } from './unread-bytes.ts'
import { pathOf } from './write-plain.ts'

const path = '/realtime'
const heartbeatMs = 15_000

/** The node stops, or is full. */
const goAway = { status: 503, headers: ['Retry-After: 5'], body: '' } as const

/** Sockets beyond the sessions, for those who are about to be told that the node is full. */
const spareSockets = 200

/** What the library takes at the most; `maxMessageBytes` is less, and may change while a connection is open. */
const libraryBytesMax = 2_097_152

/** Closes that the WebSocket library begins on its own, for frames that it cannot take. */
const libraryClosings: ReadonlyMap<number | undefined, Closing> = new Map<number | undefined, Closing>([
  [1002, closings.malformed],
  [1007, closings.notText],
  [1009, closings.tooLarge],
])

/** A socket that tells before it closes, so that the client can be told why, whoever closes it. */
class TellingSocket extends WebSocket {
  beforeClose: ((code: number | undefined) => void) | undefined
  /** Until either side begins to close; asked for every frame, where the library's own state costs a chain of look-ups. */
  isWritable = true

  override close(code?: number, data?: string | Buffer): void {
    this.beforeClose?.(code)
    this.isWritable = false
    super.close(code, data)
  }

  override terminate(): void {
    this.isWritable = false
    super.terminate()
  }
}

export type RealtimeServerDeps = {
  readonly loop: GameLoop
  readonly settings: () => ServerConfig['realtime']
  /** Whose pages may open feeds. */
  readonly origins: () => OriginRules
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
  readonly metrics: RealtimeMetrics
}

/** The real-time node on the network. */
export type RealtimeServer = {
  /** Takes an upgrade of any HTTP server; paths other than `/realtime` and those of zone feeds are answered 404. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Opens a listener of its own; resolves to its port. What is neither an upgrade nor a GET of `answers` is answered 426. */
  listen(port: number, host: string, answers?: PlainAnswers): Promise<number>
  /** Starts the ticks. */
  start(): void
  /** `settings` answers other than before. */
  settingsChanged(): void
  /** Takes nobody in, finishes what is queued, tells every client when to come again, and resolves when all are gone. */
  close(options?: { readonly reason?: string; readonly retryAfterSeconds?: number; readonly graceMs?: number }): Promise<void>
}

const toPort = (socket: TellingSocket, stream: Duplex): SocketPort => ({
  // Frames are finished and never fragmented, so they may go past the library, one write each for any number of clients.
  write: (frame) => {
    if (socket.isWritable) stream.write(frame)
  },
  close: (code, reason) => socket.close(code, reason),
  terminate: () => socket.terminate(),
  ping: () => {
    if (socket.readyState === WebSocket.OPEN) socket.ping()
  },
  bufferedBytes: () => stream.writableLength,
})

const toBuffer = (data: ArrayBuffer | Buffer[]): Buffer => (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data))

export const createRealtimeServer = ({
  loop,
  settings,
  origins,
  clock,
  ids,
  log,
  metrics,
}: RealtimeServerDeps): RealtimeServer => {
  const base = { noServer: true, WebSocket: TellingSocket, perMessageDeflate: false, clientTracking: false } as const
  const webSockets = new WebSocketServer({ ...base, maxPayload: libraryBytesMax })
  const feedSockets = new WebSocketServer({
    ...base,
    maxPayload: 2 * feedMessageBytesMax,
    handleProtocols: (offered) => offered.has(feedProtocol) && feedProtocol,
  })
  const door = createFeedDoor({ feeds: loop.feeds, origins, ids, log })
  const connections = new Set<Connection>()
  const feeds = new Set<FeedSocket>()
  const stops: (() => void)[] = []
  let isClosing = false
  let whenEmpty: (() => void) | undefined

  const isEmpty = (): boolean => connections.size === 0 && feeds.size === 0

  const open = (socket: TellingSocket, stream: Duplex): void => {
    const port = toPort(socket, stream)
    const connection = createConnection({
      socket: port,
      events: loop.connections,
      limits: settings,
      clock,
      traffic: loop.traffic,
      metrics,
    })
    connections.add(connection)
    socket.beforeClose = (code) => {
      const closing = libraryClosings.get(code)
      if (closing !== undefined && connection.isOpen()) connection.close(closing)
    }
    const unread = createUnreadBytes(() => settings().maxMessageBytes)
    const admits = (bytes: number): boolean => {
      if (unread.add(bytes)) return true
      connection.close(closings.tooLarge)
      stream.end()
      return false
    }
    socket.on('message', (data, isBinary) => {
      unread.clear()
      connection.receive(Buffer.isBuffer(data) ? data : toBuffer(data), isBinary ? 'binary' : 'text')
    })
    socket.on('ping', unread.clear)
    takePlainFrames(stream, {
      isOpen: () => socket.readyState === WebSocket.OPEN,
      received: (payload) => connection.receive(payload, 'binary'),
      admits,
    })
    socket.on('pong', () => {
      unread.clear()
      connection.pong()
    })
    socket.on('error', (error) => log.debug({ cause: error.message }, 'a socket failed'))
    socket.on('close', () => {
      socket.isWritable = false
      connections.delete(connection)
      connection.ended()
      if (isEmpty()) whenEmpty?.()
    })
  }

  const openFeed = (socket: TellingSocket, stream: Duplex, admitted: AdmittedFeed): void => {
    const feed = loop.feeds.open(toPort(socket, stream), admitted)
    feeds.add(feed)
    socket.on('message', (data, isBinary) => feed.receive(Buffer.isBuffer(data) ? data : toBuffer(data), isBinary))
    socket.on('pong', feed.pong)
    socket.on('error', (error) => log.debug({ cause: error.message }, 'the socket of a feed failed'))
    socket.on('close', () => {
      socket.isWritable = false
      feeds.delete(feed)
      feed.ended()
      if (isEmpty()) whenEmpty?.()
    })
  }

  const takeFeed = async (request: IncomingMessage, stream: Duplex, head: Buffer, zoneId: string): Promise<void> => {
    stream.on('error', () => stream.destroy())
    const answer = await door.knock(request, zoneId)
    if ('refusal' in answer) refuseUpgrade(stream, answer.refusal)
    else if (isClosing) refuseUpgrade(stream, goAway)
    else feedSockets.handleUpgrade(request, stream, head, (socket) => openFeed(socket, stream, answer.admitted))
  }

  const handleUpgrade: RealtimeServer['handleUpgrade'] = (request, stream, head) => {
    const zoneId = zoneIdIn(pathOf(request))
    if (zoneId !== undefined && !isClosing) void takeFeed(request, stream, head, zoneId)
    else if (zoneId === undefined && pathOf(request) !== path) refuseUpgrade(stream, { status: 404, headers: [], body: '' })
    else if (isClosing || connections.size >= settings().maxSessions + spareSockets) refuseUpgrade(stream, goAway)
    else webSockets.handleUpgrade(request, stream, head, (socket) => open(socket, stream))
  }

  const waitUntil = async (isDone: () => boolean, deadlineMs: number): Promise<void> => {
    while (!isDone() && clock.monotonic() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  return {
    handleUpgrade,
    listen: async (port, host, answers = new Map()) => {
      const listener = await listenForUpgrades({ port, host, answers, handleUpgrade, log })
      stops.push(listener.close)
      return listener.port
    },
    start: () => {
      const heartbeat = setInterval(() => {
        for (const connection of connections) connection.heartbeat()
      }, heartbeatMs)
      stops.push(startTicks(loop.tickRate, clock, loop.tick), () => clearInterval(heartbeat))
    },
    settingsChanged: () => {
      for (const connection of connections) connection.limitsChanged()
    },
    close: async ({ reason = 'The server is restarting.', retryAfterSeconds = 5, graceMs = 5000 } = {}) => {
      isClosing = true
      const deadlineMs = clock.monotonic() + graceMs
      await waitUntil(loop.isIdle, deadlineMs)
      loop.tick(clock.monotonic())
      const closing = goingAway(reason, retryAfterSeconds)
      loop.feeds.closeAll(feedClosings.goingAway)
      loop.endAll(closing)
      for (const connection of connections) connection.close(closing)
      if (!isEmpty())
        await new Promise<void>((resolve) => {
          whenEmpty = resolve
        })
      for (const stop of stops.splice(0)) stop()
    },
  }
}
