import type { Duplex } from 'node:stream'
import type { SocketPort } from './connection.ts'
import { DirectWriter } from './direct-writes.ts'

/** What this needs of the library's socket, which is known to `server.ts` alone. */
type ClosableSocket = {
  readonly readyState: number
  readonly OPEN: number
  /** Set to who is to be told of the end. */
  port: { end(): void } | undefined
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  on(event: 'close', listener: () => void): unknown
}

/** What a connection needs of `socket`, whose bytes go over `stream`. */
export class StreamPort implements SocketPort {
  private readonly writer: DirectWriter
  private isWritable = true
  private readonly socket: ClosableSocket

  constructor(socket: ClosableSocket, stream: Duplex) {
    this.writer = new DirectWriter(stream)
    this.socket = socket
    socket.port = this
    socket.on('close', () => this.end())
  }

  isOpen(): boolean {
    return this.isWritable
  }

  /** Frames are finished and never fragmented, so they may go past the library, one write each for any number of clients. */
  write(frame: Uint8Array): void {
    if (this.isWritable) this.writer.write(frame)
  }

  close(code: number, reason: string): void {
    this.writer.expectOthers()
    this.socket.close(code, reason)
  }

  terminate(): void {
    this.socket.terminate()
  }

  ping(): void {
    this.writer.expectOthers()
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping()
  }

  bufferedBytes(): number {
    return this.writer.waitingBytes()
  }

  /** The library was given something, and may answer. */
  expectAnswer(): void {
    this.writer.expectOthers()
  }

  end(): void {
    this.isWritable = false
  }
}
