import type { Duplex } from 'node:stream'
import type { FrameReceiver, SocketPort } from './connection.ts'

/** The part of the library's socket that is used here. */
type LibrarySocket = {
  readonly readyState: number
  readonly OPEN: number
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
}

/**
 * Adapts a WebSocket whose bytes go over `stream`. A class, because thousands of connections share its methods. Finished frames
 * bypass `ws` and go to the stream (see `web-socket-frame.ts`). They never split a frame of `ws`, which also writes whole frames.
 */
export class WebSocketPort implements SocketPort {
  private readonly socket: LibrarySocket
  private readonly stream: Duplex

  constructor(socket: LibrarySocket, stream: Duplex) {
    this.socket = socket
    this.stream = stream
  }

  isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN
  }

  write(frame: Uint8Array): void {
    if (this.isOpen()) this.stream.write(frame)
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason)
  }

  terminate(): void {
    this.socket.terminate()
  }

  ping(): void {
    if (this.isOpen()) this.socket.ping()
  }

  bufferedBytes(): number {
    return this.stream.writableLength
  }
}

/** The header and mask of a ping or pong. Its payload has at most 125 bytes. */
const controlHeaderBytes = 6

/** The number of bytes that are still read after the server closes. Then reading stops. */
const afterCloseBytesMax = 1_048_576

/** Each fragment of a message, and each chunk of an unfinished frame, costs memory in addition to its bytes. */
const fragmentsMax = 128
const piecesMax = 4096

/** Options for `ws`. It closes with 1008 beyond these limits. */
export const libraryLimits = { maxFragments: fragmentsMax, maxBufferedChunks: piecesMax } as const

/** The part of the library's socket that is used here. */
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
 * Passes the messages, pings and pongs of `socket` to `receiver`. `ws` has one fixed message limit for all connections. This counts
 * the bytes of `stream`, so that clients without a session and changes of the configuration have their own limits. The count is
 * exact to one read of the stream (64 KiB).
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
  // Added after the listener of `ws`, which has already read the frames of this chunk.
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
