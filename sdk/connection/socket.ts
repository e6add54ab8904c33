import { environment } from '../environment.ts'
import { GatehouseError } from '../errors.ts'

type SocketEvents = {
  readonly open: unknown
  readonly message: { readonly data: unknown }
  readonly close: { readonly code: number; readonly reason: string }
  readonly error: unknown
}

/** What is used of a WebSocket: a browser's, Node's own, or that of the package `ws`. */
export type Socket = {
  binaryType: string
  readonly readyState: number
  send(data: Uint8Array | string): void
  close(code?: number, reason?: string): void
  /** Of `ws` alone: a browser forgets a socket by itself. */
  terminate?(): void
  addEventListener<N extends keyof SocketEvents>(name: N, act: (event: SocketEvents[N]) => void): void
}

/** A WebSocket constructor. */
export type SocketConstructor = new (url: string, protocols?: string[]) => Socket

/** The one that was given, or that of the page or of Node 22. */
export const findSocketConstructor = (given: unknown): SocketConstructor => {
  const found = given ?? environment().WebSocket
  if (typeof found !== 'function')
    throw new GatehouseError('no-web-socket', "There is no WebSocket here: npm install ws, and give { WebSocket } of 'ws'.")
  return found as SocketConstructor
}

/** A base address as that of a WebSocket. */
export const toSocketAddress = (url: string): string => url.replace(/^http/, 'ws')
