import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { ClientAddresses } from '../../shared/domain/auth/client-address.ts'
import { type Ids, requestIdOf } from '../../shared/kernel/ids.ts'
import { feedClosings } from '../feeds/door/feed-closing.ts'
import { feedProtocol } from '../feeds/door/feed-credential.ts'
import { createFeedDoor } from '../feeds/door/feed-door.ts'
import type { OriginRules } from '../feeds/door/is-own-origin.ts'
import { feedFrameBytesMax } from '../feeds/feed-messages.ts'
import type { StopReason } from '../game/module-hooks.ts'
import { startTicks } from '../game/tick-scheduler.ts'
import { type FeedTarget, feedTargetIn } from '../routing/feed-path.ts'
import { type PlainAnswers, pathOf } from '../socket/answer-plain-requests.ts'
import { SocketWithCloseHook } from '../socket/close-hook.ts'
import { type Closing, goingAway, type Share } from '../socket/closing.ts'
import { countRefusals, createRefusalAnswer, goAway } from '../socket/refuse-upgrade.ts'
import { createUnauthenticatedSockets, tooManyWait } from '../socket/unauthenticated-sockets.ts'
import { visitStaggered } from '../socket/visit-staggered.ts'
import { libraryLimits } from '../socket/web-socket-port.ts'
import { listenForUpgrades } from './listen-for-upgrades.ts'
import { createLiveSockets, type LiveSockets, type LiveSocketsDeps } from './live-sockets.ts'

const path = '/realtime'

/** Sockets beyond the session limit, to inform clients that the node is full. */
const spareSockets = 200

/** The message limit of the library. `maxMessageBytes` is lower and may change during a connection. */
const libraryBytesMax = 2_097_152

type UpgradeDeps = Omit<LiveSocketsDeps, 'activeSanctions' | 'clock'> & {
  readonly sockets: LiveSockets
  /** Whether new clients are refused. */
  readonly isClosing: () => boolean
  /** The origins whose pages may open feeds. */
  readonly origins: () => OriginRules
  readonly clients: Pick<ClientAddresses, 'of'>
  readonly ids: Pick<Ids, 'uuid'>
}

/** An upgrade from Node's HTTP server. */
type TakeUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void

/** Admits players and feeds, or answers with the refusal. */
const createTakeUpgrade = (deps: UpgradeDeps): TakeUpgrade => {
  const { loop, settings, sockets, isClosing, origins, clients, ids, log } = deps
  const base = {
    ...libraryLimits,
    noServer: true,
    WebSocket: SocketWithCloseHook,
    perMessageDeflate: false,
    clientTracking: false,
    autoPong: false,
  } as const
  const playerSockets = new WebSocketServer({ ...base, maxPayload: libraryBytesMax })
  const feedSockets = new WebSocketServer({
    ...base,
    maxPayload: feedFrameBytesMax,
    handleProtocols: (offered) => offered.has(feedProtocol) && feedProtocol,
  })
  const door = createFeedDoor({ feeds: loop.feeds, worldFeeds: loop.worldFeeds, origins, ids, log })
  const refuse = countRefusals(deps.metrics)
  const waiting = createUnauthenticatedSockets(() => settings().waitingPerAddress)

  const takeFeed = async (request: IncomingMessage, stream: Duplex, head: Buffer, target: FeedTarget): Promise<void> => {
    stream.on('error', () => stream.destroy())
    const address = clients.of(request)
    const answer = await door.knock(request, target, { stream, address })
    if (answer === undefined) stream.destroy()
    else if ('refusal' in answer) refuse(stream, answer.refusal)
    else if (isClosing()) refuse(stream, goAway)
    else feedSockets.handleUpgrade(request, stream, head, (socket) => sockets.openFeed({ socket, stream, address }, answer.open))
  }

  const takePlayer: TakeUpgrade = (request, stream, head) => {
    const address = clients.of(request)
    const place = waiting.enter(address)
    if (place === undefined) {
      refuse(stream, createRefusalAnswer(tooManyWait, path, requestIdOf(request.headers['x-request-id'], ids)))
      return
    }
    stream.on('close', () => place.end())
    playerSockets.handleUpgrade(request, stream, head, (socket) => sockets.openPlayer({ socket, stream, address }, place))
  }

  const isFull = (): boolean => sockets.connections.size >= settings().maxSessions + spareSockets

  return (request, stream, head) => {
    const target = feedTargetIn(pathOf(request))
    if (target !== undefined && !isClosing()) void takeFeed(request, stream, head, target)
    else if (target === undefined && pathOf(request) !== path) refuse(stream, { status: 404, headers: [], body: '' })
    else if (isClosing() || isFull()) refuse(stream, goAway)
    else takePlayer(request, stream, head)
  }
}

const pingEveryMs = 15_000
const heartbeats = { everyMs: pingEveryMs, sliceMs: 100 }

type RealtimeServerDeps = LiveSocketsDeps & Pick<UpgradeDeps, 'origins' | 'clients' | 'ids'>

/** The network interface of the real-time node. */
export type RealtimeServer = {
  /** Handles an upgrade of any HTTP server. Paths other than `/realtime` and those of feeds get 404. */
  readonly handleUpgrade: TakeUpgrade
  /** Opens a separate listener and resolves to its port. Requests other than upgrades and GETs of `answers` get 426. */
  listen(port: number, host: string, answers?: PlainAnswers): Promise<number>
  /** Starts the ticks. */
  start(): void
  /** Closes sockets from addresses that are banned now. */
  sanctionsChanged(): void
  /** `settings` has changed. */
  settingsChanged(): void
  /** Refuses new clients and messages, finishes queued work, and stops the ticks. Nothing changes after that. */
  freeze(graceMs: number, reason?: StopReason): Promise<void>
  /** Freezes, sends each client elsewhere or asks it to return, and resolves when all have left. */
  close(options?: CloseOptions): Promise<void>
}

type CloseOptions = {
  /** The closing for each client. By default it asks the client to return in a few seconds. */
  readonly closingOf?: (share: Share) => Closing
  readonly graceMs?: number
}

export const createRealtimeServer = (deps: RealtimeServerDeps): RealtimeServer => {
  const { loop, clock, log } = deps
  const stops: (() => void)[] = []
  let endTicks = () => {}
  let isFrozen = false
  const sockets = createLiveSockets(deps)
  const handleUpgrade = createTakeUpgrade({ ...deps, sockets, isClosing: () => isFrozen })

  const waitUntil = async (isDone: () => boolean, deadlineMs: number): Promise<void> => {
    while (!isDone() && clock.monotonic() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  const freeze = async (graceMs: number, reason: StopReason = 'shutdown'): Promise<void> => {
    if (isFrozen) return
    isFrozen = true
    loop.stopAccepting(goingAway('The server is restarting.', 1))
    for (const feeds of [loop.feeds, loop.worldFeeds]) feeds.closeAll(feedClosings.goingAway)
    // Starts all work that has arrived, so that the wait includes it.
    loop.tick(clock.monotonic())
    await waitUntil(loop.isIdle, clock.monotonic() + graceMs)
    loop.stopModules(reason)
    loop.tick(clock.monotonic())
    endTicks()
  }

  return {
    handleUpgrade,
    listen: async (port, host, answers = new Map()) => {
      const listener = await listenForUpgrades({ port, host, answers, handleUpgrade, ids: deps.ids, log })
      stops.push(listener.close)
      return listener.port
    },
    start: () => {
      endTicks = startTicks(loop.tickRate, clock, loop.tick)
      stops.push(visitStaggered(sockets.connections, (connection) => connection.heartbeat(), heartbeats))
    },
    sanctionsChanged: sockets.closeBanned,
    settingsChanged: () => {
      for (const connection of sockets.connections) connection.limitsChanged()
    },
    freeze,
    close: async ({ closingOf = () => goingAway(), graceMs = 5000 } = {}) => {
      await freeze(graceMs)
      const leaving = [...sockets.connections]
      for (const [index, connection] of leaving.entries()) connection.close(closingOf({ index, of: leaving.length }))
      await sockets.untilNone()
      for (const stop of stops.splice(0)) stop()
    },
  }
}
