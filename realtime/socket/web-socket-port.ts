import type { Duplex } from 'node:stream'
import type { SocketPort } from './connection.ts'

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
