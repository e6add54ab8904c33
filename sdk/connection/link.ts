import { NotGatehouseError } from '../errors.ts'
import { type ClientMessageKind, decodeServerMessage, encodeClientMessage, type ServerMessageKind } from '../protocol/frames.ts'
import type { Connect, Kick, Position } from '../protocol/generated/gatehouse.ts'
import { isSoundPlace } from '../protocol/sound-place.ts'
import { isSoundSection } from '../protocol/sound-section.ts'
import type { Timers } from '../timers.ts'
import { type SocketConstructor, toSocketAddress } from './socket.ts'
import { openWire, type WireEnd } from './wire.ts'

/** How a connection ended, with the Kick before it. */
export type LinkEnd = WireEnd & { readonly kick?: Kick }

export type LinkOptions = {
  /** Base address of the node. */
  readonly url: string
  /** Path of the upgrade. */
  readonly path: string
  readonly WebSocket: SocketConstructor
  readonly hello: Connect
  readonly timers: Timers
  readonly onMessage: (message: ServerMessageKind) => void
  /** Called once, and nothing after it. */
  readonly onEnd: (end: LinkEnd) => void
}

/** One connection. It sends Connect by itself; the caller sends the rest. */
export type Link = {
  send(message: ClientMessageKind): void
  /** Drops it without a message to the server, like a lost network: the session can be resumed. */
  drop(error?: Error): void
}

const toBytes = (data: unknown): Uint8Array => {
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (data instanceof Uint8Array) return data
  throw new TypeError('not a binary frame')
}

const placesOf = ({ $case, value }: ServerMessageKind): readonly (Position | undefined)[] => {
  if ($case === 'welcome' || $case === 'correction') return [value.position]
  return $case === 'players' ? value.appeared.map(({ position }) => position) : []
}

/** Opens a connection. A silent server or an invalid message ends it. */
export const openLink = ({ url, path, WebSocket, hello, timers, onMessage, onEnd }: LinkOptions): Link => {
  let kick: Kick | undefined
  const send = (message: ClientMessageKind): void => wire.send(encodeClientMessage(message))
  const read = (data: unknown): ServerMessageKind | undefined => {
    try {
      const message = decodeServerMessage(toBytes(data))
      if (message?.$case === 'chunk' && !message.value.sections.every(isSoundSection))
        throw new RangeError('a section of a wrong size')
      if (message !== undefined && !placesOf(message).every(isSoundPlace)) throw new RangeError('a position outside every world')
      return message
    } catch (cause) {
      wire.drop(
        new NotGatehouseError(`${url} sent something that is not part of the protocol. Is it a Gatehouse server?`, { cause }),
      )
      return undefined
    }
  }
  const wire = openWire({
    url,
    open: () => new WebSocket(`${toSocketAddress(url)}${path}`),
    timers,
    onOpen: () => send({ $case: 'connect', value: hello }),
    onData: (data) => {
      const message = read(data)
      if (message?.$case === 'welcome') wire.settle()
      if (message?.$case === 'kick') kick = message.value
      if (message !== undefined) onMessage(message)
    },
    ask: () => send({ $case: 'ping', value: { nonce: 0 } }),
    onEnd: (end) => onEnd({ ...end, ...(kick && { kick }) }),
  })
  return { send, drop: wire.drop }
}
