import type { SocketConstructor } from '../connection/socket.ts'

type Listener = (event: never) => void

/** One end of a WebSocket without a network: messages arrive at the other end a moment later, in order. */
export type FakeEnd = {
  /** The subprotocols that the client offered. */
  readonly protocols: readonly string[]
  /** The server's handler of frames from the client. */
  onFrame: (frame: Uint8Array) => void
  /** The client is gone. */
  onGone: () => void
  send(frame: Uint8Array | string): void
  /** Closes like a server: the client receives this code. */
  close(code: number, reason: string): void
  isOpen(): boolean
}

/** Returns the server's end of a new connection, or why there is none. */
export type FakeAccept = (address: URL, end: FakeEnd) => 'accepted' | 'refused'

const connecting = 0
const open = 1
const closed = 3

/** A WebSocket class whose sockets connect to `accept`. */
export const createFakeWebSocket = (accept: FakeAccept): SocketConstructor =>
  class FakeWebSocket {
    binaryType = 'blob'
    readyState = connecting
    readonly #listeners = new Map<string, Listener[]>()
    readonly #end: FakeEnd

    constructor(url: string, protocols: readonly string[] = []) {
      this.#end = {
        protocols,
        onFrame: () => undefined,
        onGone: () => undefined,
        send: (frame) => this.#later(() => this.#receive(frame)),
        close: (code, reason) => this.#later(() => this.#close(code, reason)),
        isOpen: () => this.readyState === open,
      }
      this.#later(() => {
        if (accept(new URL(url), this.#end) === 'refused') {
          this.#tell('error', {})
          return this.#close(1006, '')
        }
        this.readyState = open
        return this.#tell('open', {})
      })
    }

    addEventListener(name: string, listener: Listener): void {
      this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener])
    }

    send(frame: Uint8Array): void {
      const copy = frame.slice()
      this.#later(() => {
        if (this.readyState === open) this.#end.onFrame(copy)
      })
    }

    close(): void {
      this.#later(() => this.#close(1005, ''))
    }

    #later(act: () => void): void {
      setTimeout(() => {
        if (this.readyState !== closed) act()
      })
    }

    #tell(name: string, event: object): void {
      for (const listener of this.#listeners.get(name) ?? []) listener(event as never)
    }

    #receive(frame: Uint8Array | string): void {
      if (this.readyState === open) this.#tell('message', { data: typeof frame === 'string' ? frame : frame.slice().buffer })
    }

    #close(code: number, reason: string): void {
      this.readyState = closed
      this.#end.onGone()
      this.#tell('close', { code, reason })
    }
  }
