import type { WebSocket } from 'ws'
import { type ClientMessageKind, createClientFrames, type ServerMessageKind } from './client-frames.ts'

export type GameSocketOptions = {
  /** The server's base address: `http://127.0.0.1:3000`. */
  readonly url: string
  /** protobuf, or its JSON mapping in text frames. */
  readonly binary: boolean
  readonly WebSocket: typeof WebSocket
}

export type GameSocketListeners = {
  readonly onOpen: () => void
  /** May throw when the message makes no sense: the connection ends. */
  readonly onMessage: (message: ServerMessageKind) => void
  /** Once; `error` is what failed on the way. */
  readonly onClose: (end: { readonly code: number; readonly reason: string; readonly error?: Error }) => void
}

export type GameSocket = {
  isOpen(): boolean
  /** Without effect when it is not open. */
  send(message: ClientMessageKind): void
  /** Ends it without a word to the server. */
  terminate(): void
  isConnecting(): boolean
}

const handshakeMs = 10_000

const addressOf = (url: string): string => `${url.replace(/^http/, 'ws').replace(/\/$/, '')}/realtime`

/** A socket of messages of the real-time protocol. A frame that is none ends it. */
export const openGameSocket = (options: GameSocketOptions, listeners: GameSocketListeners): GameSocket => {
  const frames = createClientFrames(options.binary)
  const socket = new options.WebSocket(addressOf(options.url), { handshakeTimeout: handshakeMs, perMessageDeflate: false })
  let failure: Error | undefined
  socket.binaryType = 'nodebuffer'
  socket.on('open', listeners.onOpen)
  socket.on('message', (data, isBinary) => {
    try {
      const frame = Buffer.isBuffer(data) ? data : Buffer.from(data.toString())
      const message = frames.decode(isBinary ? frame : frame.toString('utf8'))
      if (message !== undefined) listeners.onMessage(message)
    } catch (error) {
      failure = new Error('The server sent a frame that is not of the protocol.', { cause: error })
      socket.terminate()
    }
  })
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('close', (code, reason) =>
    listeners.onClose({ code, reason: reason.toString('utf8'), ...(failure && { error: failure }) }),
  )
  return {
    isOpen: () => socket.readyState === socket.OPEN,
    isConnecting: () => socket.readyState === socket.CONNECTING,
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(frames.encode(message))
    },
    terminate: () => socket.terminate(),
  }
}
