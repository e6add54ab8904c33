import type { Account } from '../../shared/domain/accounts/account.ts'
import type { TokenRecord } from '../../shared/domain/tokens/tokens.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { closeGraceMs } from '../socket/closing.ts'
import type { FrameReceiver, SocketPort } from '../socket/connection.ts'
import { Heartbeats } from '../socket/heartbeats.ts'
import { type BucketLimits, createTokenBucket, takeTokens } from '../socket/message-budget.ts'
import type { Admitted, AdmittedFeed } from './door/authenticate-feed.ts'
import { type FeedClosing, feedClosings } from './door/feed-closing.ts'
import type { FeedNeed } from './door/feed-permissions.ts'
import {
  encodeFeedMessage,
  type FeedReply,
  type FeedRequest,
  feedFrameBytesMax,
  type ParsedFeedMessage,
  parseFeedMessage,
} from './feed-messages.ts'
import type { FeedReader } from './zone-feed.ts'

/**
 * The maximum number of bytes that wait for a client: twice the size of the history of a zone. Readers of a zone share these bytes
 * in memory.
 */
const waitingBytesMax = 16 * 2 ** 20

/** A message costs 1, and 1 more for each of these bytes. A faulty message costs more. */
const bytesPerCost = 16_384
const garbageCost = 5

/** The cost of a `resume`: its answer may be the whole history of a zone. */
const resumeCost = 10

/** The server side of one client's feed. Its limits protect all other clients. */
export type FeedEnd = FeedReader &
  FrameReceiver & {
    readonly requestId: string
    readonly need: FeedNeed
    /** Whether the client reads slowly: a quarter of the waiting bytes are used. */
    isBehind(): boolean
    account: Account
    grant: TokenRecord
    /** Sends a heartbeat and a ping. Closes the feed if the client did not answer twice. */
    heartbeat(): void
    /** The socket has closed. */
    ended(): void
    reply(message: FeedReply): void
    /** Sends the reason and closes. Later messages of the client are ignored. */
    close(closing: FeedClosing): void
  }

/** The server side of a zone feed. */
export type FeedSocket = FeedEnd & { readonly zoneId: string; readonly admitted: AdmittedFeed }

/** The differences between kinds of feeds. */
export type FeedEndKind<R extends { readonly type: string }> = {
  /** Parses a frame of a client. Never throws. */
  readonly parse: (data: Uint8Array, isBinary: boolean) => ParsedFeedMessage<R>
  /** The maximum number of bytes that wait for a client. */
  readonly waitingBytesMax: number
}

type FeedEndOptions<R extends { readonly type: string }> = {
  readonly port: SocketPort
  readonly limits: () => BucketLimits
  readonly clock: Clock
  /** The total lateness of ticks, see `Lateness`. */
  readonly lateMs: (nowMs: number) => number
  readonly metrics: Pick<RealtimeMetrics, 'countFeedClosing' | 'countFeedFrame'>
  readonly kind: FeedEndKind<R>
  readonly admitted: Admitted
  readonly received: (request: R) => void
  readonly closed: () => void
}

export type FeedSocketOptions = Pick<FeedEndOptions<FeedRequest>, 'port' | 'limits' | 'clock' | 'lateMs' | 'metrics'> & {
  readonly admitted: AdmittedFeed
  readonly received: (socket: FeedSocket, request: FeedRequest) => void
  readonly closed: (socket: FeedSocket) => void
}

const heartbeatFrame = encodeFeedMessage({ type: 'heartbeat' })

export const createFeedEnd = <R extends { readonly type: string }>(options: FeedEndOptions<R>): FeedEnd => {
  const { port, admitted, limits, clock, lateMs, metrics, received, closed } = options
  const { parse, waitingBytesMax } = options.kind
  const openedMs = clock.monotonic()
  const bucket = createTokenBucket(limits(), openedMs, lateMs(openedMs))
  const pay = (cost: number): boolean => {
    const nowMs = clock.monotonic()
    return takeTokens(bucket, limits(), cost, nowMs, lateMs(nowMs))
  }
  let isClosing = false
  const heartbeats = new Heartbeats()
  let grace: NodeJS.Timeout | undefined

  const read = (data: Uint8Array, isBinary: boolean): void => {
    const parsed = parse(data, isBinary)
    const extra = parsed.ok ? (parsed.message.type === 'resume' ? resumeCost : 0) : garbageCost
    if (!pay(extra)) socket.close(feedClosings.tooMany)
    else if (parsed.ok) received(parsed.message)
    else {
      const { code, message, ref } = parsed
      socket.reply({ type: 'error', code, message, ...(ref === undefined ? {} : { ref }) })
    }
  }

  const socket: FeedEnd = {
    requestId: admitted.requestId,
    need: admitted.need,
    account: admitted.account,
    grant: admitted.grant,
    receive: (data, kind) => {
      if (isClosing) return
      heartbeats.heard()
      const cost = 1 + Math.floor(data.length / bytesPerCost)
      if (pay(cost)) read(data, kind === 'binary')
      else socket.close(feedClosings.tooMany)
    },
    checkUnfinished: (bytes) => {
      if (bytes > 2 * feedFrameBytesMax) socket.close(feedClosings.tooLarge)
    },
    payFor: (frame) => {
      if (frame === 'pong' && heartbeats.answered(clock.monotonic())) return true
      if (frame === 'ping' && port.bufferedBytes() > waitingBytesMax) socket.close(feedClosings.tooSlow)
      if (isClosing) return false
      if (pay(1)) return true
      socket.close(feedClosings.tooMany)
      return false
    },
    heartbeat: () => {
      if (isClosing) return
      const nowMs = clock.monotonic()
      if (heartbeats.isDead(nowMs)) port.terminate()
      heartbeats.asked(nowMs)
      port.ping()
      socket.send(heartbeatFrame)
    },
    ended: () => {
      isClosing = true
      clearTimeout(grace)
      closed()
    },
    send: (frame) => {
      if (isClosing) return
      if (port.bufferedBytes() > waitingBytesMax) {
        socket.close(feedClosings.tooSlow)
        return
      }
      metrics.countFeedFrame(frame.length)
      port.write(frame)
    },
    reply: (message) => socket.send(encodeFeedMessage(message)),
    isBehind: () => port.bufferedBytes() > waitingBytesMax / 4,
    isOpen: () => !isClosing,
    close: (closing) => {
      if (isClosing) return
      isClosing = true
      const { closeCode, code, message } = closing
      metrics.countFeedClosing(code)
      if (closing !== feedClosings.deleted) port.write(encodeFeedMessage({ type: 'error', code, message }))
      grace = setTimeout(() => port.terminate(), closeGraceMs)
      port.close(closeCode, code)
    },
  }
  return socket
}

const zoneFeedKind: FeedEndKind<FeedRequest> = { parse: parseFeedMessage, waitingBytesMax }

export const createFeedSocket = ({ received, closed, ...options }: FeedSocketOptions): FeedSocket => {
  const { admitted } = options
  const end = createFeedEnd<FeedRequest>({
    ...options,
    kind: zoneFeedKind,
    received: (request) => received(socket, request),
    closed: () => closed(socket),
  })
  // Keep the same object: its account and grant change.
  const socket: FeedSocket = Object.assign(end, { zoneId: admitted.zone.id, admitted })
  return socket
}
