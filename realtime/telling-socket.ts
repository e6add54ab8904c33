import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { SocketPort } from './connection.ts'
import { DirectWriter } from './direct-writes.ts'

/** A socket that tells before it closes, so that the client can be told why, whoever closes it. */
export class TellingSocket extends WebSocket {
  beforeClose: ((code: number | undefined) => void) | undefined
  /** What writes past this; nothing does from the moment on in which either side begins to close. */
  port: StreamPort | undefined

  override close(code?: number, data?: string | Buffer): void {
    this.beforeClose?.(code)
    this.port?.end()
    super.close(code, data)
  }

  override terminate(): void {
    this.port?.end()
    super.terminate()
  }
}

/** What a connection needs of `socket`, whose bytes go over `stream`. */
export class StreamPort implements SocketPort {
  private readonly writer: DirectWriter
  private isWritable = true
  private readonly socket: TellingSocket

  constructor(socket: TellingSocket, stream: Duplex) {
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
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping()
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
