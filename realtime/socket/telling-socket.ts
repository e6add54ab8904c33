import { WebSocket } from 'ws'

/** A socket that tells before it closes, so that the client can be told why, whoever closes it. */
export class TellingSocket extends WebSocket {
  beforeClose: ((code: number | undefined) => void) | undefined
  /** What writes past this; nothing does from the moment on in which either side begins to close. */
  port: { end(): void } | undefined

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
