import { WebSocket } from 'ws'

/** A WebSocket that calls `beforeClose` while it can still send, also when `ws` itself closes it because of an invalid frame. */
export class SocketWithCloseHook extends WebSocket {
  beforeClose: ((code: number | undefined) => void) | undefined

  override close(code?: number, data?: string | Buffer): void {
    this.beforeClose?.(code)
    super.close(code, data)
  }
}
