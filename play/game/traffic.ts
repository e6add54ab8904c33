/** Counts the payload bytes of all sockets made with its `WebSocket`. */
export type Traffic = {
  readonly WebSocket: typeof globalThis.WebSocket
  /** Bytes per second since the last call. */
  take(nowMs: number): { readonly bytesIn: number; readonly bytesOut: number }
}

const sizeOf = (data: unknown): number => {
  if (typeof data === 'string') return data.length
  return data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? data.byteLength : 0
}

export const createTraffic = (Base: typeof globalThis.WebSocket, now: () => number): Traffic => {
  let [bytesIn, bytesOut, sinceMs] = [0, 0, now()]
  class CountedWebSocket extends Base {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', ({ data }) => {
        bytesIn += sizeOf(data)
      })
    }
    override send(data: Parameters<WebSocket['send']>[0]): void {
      bytesOut += sizeOf(data)
      super.send(data)
    }
  }
  return {
    WebSocket: CountedWebSocket,
    take: (nowMs) => {
      const seconds = Math.max(0.001, (nowMs - sinceMs) / 1000)
      const taken = { bytesIn: Math.round(bytesIn / seconds), bytesOut: Math.round(bytesOut / seconds) }
      ;[bytesIn, bytesOut, sinceMs] = [0, 0, nowMs]
      return taken
    },
  }
}
