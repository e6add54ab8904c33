import type { SocketConstructor } from '../../connection/socket.ts'
import { toSocketAddress } from '../../connection/socket.ts'
import { openWire, type WireEnd } from '../../connection/wire.ts'
import { NotGatehouseError } from '../../errors.ts'
import type { Timers } from '../../timers.ts'

/** A message of a feed. `seq` counts messages to all readers. */
export type FeedMessage = { readonly type: string; readonly seq?: unknown }

export type FeedLinkEnd = WireEnd & { readonly wasOpen: boolean }

type FeedLinkOptions = {
  readonly url: string
  readonly path: string
  readonly token: string
  readonly WebSocket: SocketConstructor
  readonly timers: Timers
  readonly onOpen: () => void
  readonly onMessage: (message: FeedMessage) => void
  readonly onEnd: (end: FeedLinkEnd) => void
}

/** One connection to a feed, with JSON in text frames. */
export type FeedLink = {
  send(message: object): void
  /** Marks the feed as begun. */
  settle(): void
  drop(error?: Error): void
}

const protocol = 'gatehouse.feed.v1'

/** `ws` can send a header, which proxies do not log. In a browser a subprotocol carries the token. */
const openSocket = (WebSocket: SocketConstructor, address: string, token: string) =>
  typeof WebSocket.prototype?.terminate === 'function'
    ? new WebSocket(address, [protocol], { headers: { Authorization: `Bearer ${token}` } })
    : new WebSocket(address, [protocol, `bearer.${token}`])

const parseMessage = (data: unknown): FeedMessage => {
  if (typeof data !== 'string') throw new TypeError('not a text frame')
  const message: unknown = JSON.parse(data)
  if (typeof message !== 'object' || message === null || !('type' in message) || typeof message.type !== 'string')
    throw new TypeError('not a message of a feed')
  return { ...message, type: message.type }
}

/** Opens a connection. A silent server or an unknown message ends it. */
export const openFeedLink = (options: FeedLinkOptions): FeedLink => {
  const { url, path, token, WebSocket, timers, onOpen, onMessage, onEnd } = options
  let wasOpen = false
  const read = (data: unknown): FeedMessage | undefined => {
    try {
      return parseMessage(data)
    } catch (cause) {
      wire.drop(new NotGatehouseError(`${url} sent something that is not a feed message. Is it a Gatehouse server?`, { cause }))
      return undefined
    }
  }
  const wire = openWire({
    url,
    open: () => openSocket(WebSocket, `${toSocketAddress(url)}${path}`, token),
    timers,
    onOpen: () => {
      wasOpen = true
      onOpen()
    },
    onData: (data) => {
      const message = read(data)
      if (message !== undefined) onMessage(message)
    },
    onEnd: (end) => onEnd({ ...end, wasOpen }),
  })
  return { send: (message) => wire.send(JSON.stringify(message)), settle: wire.settle, drop: wire.drop }
}
