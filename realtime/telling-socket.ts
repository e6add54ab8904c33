import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { SocketPort } from './connection.ts'
import { createDirectWriter } from './direct-writes.ts'

/** A socket that tells before it closes, so that the client can be told why, whoever closes it. */
export class TellingSocket extends WebSocket {
  beforeClose: ((code: number | undefined) => void) | undefined
  /** Until either side begins to close; asked for every frame, where the library's own state costs a chain of look-ups. */
  isWritable = true

  override close(code?: number, data?: string | Buffer): void {
    this.beforeClose?.(code)
    this.isWritable = false
    super.close(code, data)
  }

  override terminate(): void {
    this.isWritable = false
    super.terminate()
  }
}

/** What a connection needs of `socket`, whose bytes go over `stream`. */
export const toPort = (socket: TellingSocket, stream: Duplex): SocketPort => {
  const writer = createDirectWriter(stream)
  return {
    // Frames are finished and never fragmented, so they may go past the library, one write each for any number of clients.
    write: (frame) => {
      if (socket.isWritable) writer.write(frame)
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    ping: () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping()
    },
    bufferedBytes: writer.waitingBytes,
  }
}
