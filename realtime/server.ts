import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { ClientAddresses } from '../shared/auth/client-addresses.ts'
import type { ServerConfig } from '../shared/configs/server/server-config.ts'
import type { Clock } from '../shared/kernel/clock.ts'
import type { Ids } from '../shared/kernel/ids.ts'
import { requestIdOf } from '../shared/kernel/ids.ts'
import type { Log } from '../shared/kernel/log.ts'
import type { SanctionsInForce } from '../shared/sanctions/in-force/sanctions-in-force.ts'
import { closeBanned } from './feeds/door/close-banned.ts'
import { feedClosings } from './feeds/door/feed-closing.ts'
import { feedProtocol } from './feeds/door/feed-credential.ts'
import { createFeedDoor, type OpenFeed } from './feeds/door/feed-door.ts'
import { type FeedTarget, feedTargetIn } from './feeds/door/feed-path.ts'
import type { OriginRules } from './feeds/door/is-own-origin.ts'
import { feedFrameBytesMax } from './feeds/feed-messages.ts'
import type { FeedEnd } from './feeds/feed-socket.ts'
import { startTicks } from './game/tick-scheduler.ts'
import type { GameLoop } from './game-loop.ts'
import type { PlainAnswers } from './health.ts'
import { listenForUpgrades } from './listen-for-upgrades.ts'
import type { RealtimeMetrics } from './metrics/realtime-metrics.ts'
import type { SessionConnection } from './sessions/session.ts'
import { type Closing, goingAway, libraryClosings, type Share } from './socket/closing.ts'
import { takePlainFrames } from './socket/plain-frames.ts'
import { createConnection } from './socket/player-connection.ts'
import { countRefusals, createRefusalAnswer, goAway } from './socket/refuse-upgrade.ts'
import { StreamPort } from './socket/stream-port.ts'
import { visitInTurn } from './socket/visit-in-turn.ts'
import { createWaitingRoom, tooManyWait, type WaitingPlace } from './socket/waiting-room.ts'
import { pathOf } from './socket/write-plain.ts'

const path = '/realtime'
const heartbeats = { everyMs: 15_000, sliceMs: 100 }

/** Sockets beyond the sessions, for those who are about to be told that the node is full. */
const spareSockets = 200

/** What the library takes at the most; `maxMessageBytes` is less, and may change while a connection is open. */
const libraryBytesMax = 2_097_152

/** A socket that tells before it closes, so that the client can be told why, whoever closes it. */
class TellingSocket extends WebSocket {
  beforeClose: ((code: number | undefined) => void) | undefined
  /** What writes past this; nothing does from the moment on in which either side begins to close. */
  port: { end(): void } | undefined

  override close(code?: number, data?: string | Buffer): void {
    this.beforeClose?.(code)
    this.port?.end()
    super.close(code, data)
  }

  override terminate(): void {
    this.port?.end()
    super.terminate()
  }
}

export type RealtimeServerDeps = {
  readonly loop: GameLoop
  readonly settings: () => ServerConfig['realtime']
  /** Whose pages may open feeds. */
  readonly origins: () => OriginRules
  readonly clients: Pick<ClientAddresses, 'of'>
  readonly sanctionsInForce: Pick<SanctionsInForce, 'findAddressBan'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
  readonly metrics: RealtimeMetrics
}

/** The real-time node on the network. */
export type RealtimeServer = {
  /** Takes an upgrade of any HTTP server; paths other than `/realtime` and those of feeds are answered 404. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Opens a listener of its own; resolves to its port. What is neither an upgrade nor a GET of `answers` is answered 426. */
  listen(port: number, host: string, answers?: PlainAnswers): Promise<number>
  /** Starts the ticks. */
  start(): void
  /** Closes what comes from addresses that are banned now. */
  sanctionsChanged(): void
  /** `settings` answers other than before. */
  settingsChanged(): void
  /** Takes nobody in and nothing more from clients, finishes what is queued, and ends the ticks: nothing changes from then on. */
  freeze(graceMs: number): Promise<void>
  /** Freezes, tells every client where to go or when to come again, and resolves when all are gone. */
  close(options?: CloseOptions): Promise<void>
}

export type CloseOptions = {
  /** What a client is told; to come again in a few seconds when absent. */
  readonly closingOf?: (share: Share) => Closing
  readonly graceMs?: number
}

const toBuffer = (data: ArrayBuffer | Buffer[]): Buffer => (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data))

export const createRealtimeServer = (deps: RealtimeServerDeps): RealtimeServer => {
  const { loop, settings, origins, clients, sanctionsInForce, clock, ids, log, metrics } = deps
  const base = { noServer: true, WebSocket: TellingSocket, perMessageDeflate: false, clientTracking: false } as const
  const webSockets = new WebSocketServer({ ...base, maxPayload: libraryBytesMax })
  const feedSockets = new WebSocketServer({
    ...base,
    maxPayload: feedFrameBytesMax,
    handleProtocols: (offered) => offered.has(feedProtocol) && feedProtocol,
  })
  const door = createFeedDoor({ feeds: loop.feeds, worldFeeds: loop.worldFeeds, origins, ids, log })
  const refuse = countRefusals(metrics)
  const waiting = createWaitingRoom(() => settings().waitingPerAddress)
  const connections = new Set<SessionConnection>()
  const feeds = new Map<FeedEnd, string>()
  const stops: (() => void)[] = []
  let endTicks = () => {}
  let isClosing = false
  let isFrozen = false
  let whenEmpty: (() => void) | undefined

  let isSlowReadTold = false
  const noteReads = (isLent: boolean): void => {
    if (isLent || isSlowReadTold) return
    isSlowReadTold = true
    log.warn({ node: process.version }, 'this Node has no memory to lend to reads of sockets; players cost some 10 % more')
  }

  const isEmpty = (): boolean => connections.size === 0 && feeds.size === 0

  const open = (socket: TellingSocket, stream: Duplex, address: string, place: WaitingPlace): void => {
    const connection = createConnection({
      socket: new StreamPort(socket, stream),
      events: loop.connections,
      limits: settings,
      clock,
      traffic: loop.traffic,
      ...{ metrics, address, place },
    })
    connections.add(connection)
    socket.beforeClose = (code) => {
      const closing = libraryClosings.get(code)
      if (closing !== undefined && connection.isOpen()) connection.close(closing)
    }
    noteReads(takePlainFrames(stream, connection))
    socket.on('message', (data, isBinary) =>
      connection.receive(Buffer.isBuffer(data) ? data : toBuffer(data), isBinary ? 'binary' : 'text'),
    )
    socket.on('error', (error) => log.debug({ cause: error.message }, 'a socket failed'))
    socket.on('close', () => {
      connections.delete(connection)
      connection.ended()
      if (isEmpty()) whenEmpty?.()
    })
  }

  const openFeed = (socket: TellingSocket, stream: Duplex, address: string, begin: OpenFeed): void => {
    const feed = begin(new StreamPort(socket, stream))
    feeds.set(feed, address)
    // It may have been banned while the upgrade was checked.
    closeBanned({ connections: [], feeds: [[feed, address]], sanctionsInForce })
    takePlainFrames(stream, feed)
    socket.on('message', (data, isBinary) => feed.receive(Buffer.isBuffer(data) ? data : toBuffer(data), isBinary))
    socket.on('error', (error) => log.debug({ cause: error.message }, 'the socket of a feed failed'))
    socket.on('close', () => {
      feeds.delete(feed)
      feed.ended()
      if (isEmpty()) whenEmpty?.()
    })
  }

  const takeFeed = async (request: IncomingMessage, stream: Duplex, head: Buffer, target: FeedTarget): Promise<void> => {
    stream.on('error', () => stream.destroy())
    const answer = await door.knock(request, target)
    const address = clients.of(request)
    if ('refusal' in answer) refuse(stream, answer.refusal)
    else if (isClosing) refuse(stream, goAway)
    else feedSockets.handleUpgrade(request, stream, head, (socket) => openFeed(socket, stream, address, answer.open))
  }

  const takePlayer = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const address = clients.of(request)
    const place = waiting.enter(address)
    if (place === undefined) {
      refuse(stream, createRefusalAnswer(tooManyWait, path, requestIdOf(request.headers['x-request-id'], ids)))
      return
    }
    stream.once('close', place.end)
    webSockets.handleUpgrade(request, stream, head, (socket) => open(socket, stream, address, place))
  }

  const handleUpgrade: RealtimeServer['handleUpgrade'] = (request, stream, head) => {
    const target = feedTargetIn(pathOf(request))
    if (target !== undefined && !isClosing) void takeFeed(request, stream, head, target)
    else if (target === undefined && pathOf(request) !== path) refuse(stream, { status: 404, headers: [], body: '' })
    else if (isClosing || connections.size >= settings().maxSessions + spareSockets) refuse(stream, goAway)
    else takePlayer(request, stream, head)
  }

  const freeze = async (graceMs: number): Promise<void> => {
    if (isFrozen) return
    isFrozen = true
    isClosing = true
    loop.windUp(goingAway('The server is restarting.', 1))
    for (const feeds of [loop.feeds, loop.worldFeeds]) feeds.closeAll(feedClosings.goingAway)
    // What has arrived is begun, and thereby waited for.
    loop.tick(clock.monotonic())
    await waitUntil(loop.isIdle, clock.monotonic() + graceMs)
    loop.tick(clock.monotonic())
    endTicks()
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
      endTicks = startTicks(loop.tickRate, clock, loop.tick)
      stops.push(visitInTurn(connections, (connection) => connection.heartbeat(), heartbeats))
    },
    sanctionsChanged: () => closeBanned({ connections, feeds, sanctionsInForce }),
    settingsChanged: () => {
      for (const connection of connections) connection.limitsChanged()
    },
    freeze,
    close: async ({ closingOf = () => goingAway(), graceMs = 5000 } = {}) => {
      await freeze(graceMs)
      const leaving = [...connections]
      for (const [index, connection] of leaving.entries()) connection.close(closingOf({ index, of: leaving.length }))
      if (!isEmpty())
        await new Promise<void>((resolve) => {
          whenEmpty = resolve
        })
      for (const stop of stops.splice(0)) stop()
    },
  }
}
