import type { Duplex } from 'node:stream'
import type { FrameKind } from '../protocol/messages.ts'

/** Header and mask of a ping or pong: its payload has at most 125 bytes. */
const controlHeaderBytes = 6

/** Bytes that a client may send after it was told to go. Then its socket is not read any more. */
const afterCloseBytesMax = 1_048_576

/** Each fragment of a message, and each read that brings a piece of a frame, costs memory beside its bytes. */
const fragmentsMax = 128
const piecesMax = 4096

/** Options for `ws`. It closes with 1008 beyond these limits. */
export const libraryLimits = { maxFragments: fragmentsMax, maxBufferedChunks: piecesMax } as const

/** The end of a socket that decides what its client may send. */
export type FrameReceiver = {
  /** False once the client was told to go. */
  isOpen(): boolean
  receive(data: Uint8Array, kind: FrameKind): void
  /** Pays for a ping or pong from the budget of messages. Returns whether to answer a ping. */
  payFor(frame: 'ping' | 'pong'): boolean
  /** `ws` holds so many bytes of a message that has not ended. Closes the connection if that is too much. */
  checkUnfinished(bytes: number): void
}

/** What this needs of the library's socket. */
type ReadableSocket = {
  on(event: 'message', listener: (data: Buffer | ArrayBuffer | Buffer[], isBinary: boolean) => void): unknown
  on(event: 'ping' | 'pong', listener: (data: Buffer) => void): unknown
  pong(data: Buffer): void
  pause(): void
}

const toBuffer = (data: Buffer | ArrayBuffer | Buffer[]): Buffer => {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

/**
 * Hands the messages, pings and pongs of `socket` to `receiver`. `ws` limits the size of a message once for all connections. This counts
 * what arrives at `stream`, so that a client without a session, and a change of the configuration, have limits of their own.
 * The count is exact to one read of the stream (64 KiB).
 */
export const receiveFrames = (socket: ReadableSocket, stream: Duplex, receiver: FrameReceiver): void => {
  let unfinishedBytes = 0
  let hasMessageEnded = false
  let afterCloseBytes = 0
  const noteControl = (data: Buffer): void => {
    unfinishedBytes -= data.length + controlHeaderBytes
  }
  socket.on('message', (data, isBinary) => {
    hasMessageEnded = true
    receiver.receive(toBuffer(data), isBinary ? 'binary' : 'text')
  })
  socket.on('ping', (data) => {
    noteControl(data)
    if (receiver.isOpen() && receiver.payFor('ping')) socket.pong(data)
  })
  socket.on('pong', (data) => {
    noteControl(data)
    if (receiver.isOpen()) receiver.payFor('pong')
  })
  // Added after the listener of `ws`, which has read the frames of this chunk by now.
  stream.on('data', (chunk: Buffer) => {
    if (!receiver.isOpen()) {
      afterCloseBytes += chunk.length
      if (afterCloseBytes > afterCloseBytesMax) socket.pause()
      return
    }
    unfinishedBytes = hasMessageEnded ? 0 : Math.max(0, unfinishedBytes + chunk.length)
    hasMessageEnded = false
    if (unfinishedBytes > 0) receiver.checkUnfinished(unfinishedBytes)
  })
}
