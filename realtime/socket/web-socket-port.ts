import type { Duplex } from 'node:stream'
import type { SocketPort } from './connection.ts'

/** What this needs of the library's socket. */
type LibrarySocket = {
  readonly readyState: number
  readonly OPEN: number
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
}

/**
 * What a connection needs of a WebSocket whose bytes go over `stream`. A class: thousands of connections share its methods. Finished
 * frames go to the stream beside `ws` (`web-socket-frame.ts` says why). They never divide a frame of `ws`, which writes whole frames too.
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
