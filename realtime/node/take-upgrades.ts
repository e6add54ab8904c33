import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { ClientAddresses } from '../../shared/domain/auth/client-address.ts'
import { type Ids, requestIdOf } from '../../shared/kernel/ids.ts'
import { feedProtocol } from '../feeds/door/feed-credential.ts'
import { createFeedDoor } from '../feeds/door/feed-door.ts'
import type { OriginRules } from '../feeds/door/is-own-origin.ts'
import { feedFrameBytesMax } from '../feeds/feed-messages.ts'
import { type FeedTarget, feedTargetIn } from '../routing/feed-path.ts'
import { pathOf } from '../socket/answer-plain-requests.ts'
import { SocketWithCloseHook } from '../socket/close-hook.ts'
import { countRefusals, createRefusalAnswer, goAway } from '../socket/refuse-upgrade.ts'
import { createUnauthenticatedSockets, tooManyWait } from '../socket/unauthenticated-sockets.ts'
import { libraryLimits } from '../socket/web-socket-port.ts'
import type { LiveSockets, LiveSocketsDeps } from './live-sockets.ts'

const path = '/realtime'

/** Sockets beyond the session limit, to inform clients that the node is full. */
const spareSockets = 200

/** The message limit of the library. `maxMessageBytes` is lower and may change during a connection. */
const libraryBytesMax = 2_097_152

export type UpgradeDeps = Omit<LiveSocketsDeps, 'activeSanctions' | 'clock'> & {
  readonly sockets: LiveSockets
  /** Whether new clients are refused. */
  readonly isClosing: () => boolean
  /** The origins whose pages may open feeds. */
  readonly origins: () => OriginRules
  readonly clients: Pick<ClientAddresses, 'of'>
  readonly ids: Pick<Ids, 'uuid'>
}

/** An upgrade from Node's HTTP server. */
export type TakeUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void

/** Admits players and feeds, or answers with the refusal. */
export const createTakeUpgrade = (deps: UpgradeDeps): TakeUpgrade => {
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
