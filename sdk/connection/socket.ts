import { environment } from '../environment.ts'
import { GatehouseError } from '../errors.ts'

type SocketEvents = {
  readonly open: unknown
  readonly message: { readonly data: unknown }
  readonly close: { readonly code: number; readonly reason: string }
  readonly error: unknown
}

/** An HTTP answer instead of an upgrade, as `ws` passes it on. */
export type UpgradeAnswer = AsyncIterable<Uint8Array> & {
  readonly statusCode?: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The used parts of a WebSocket: a browser's, Node's own, or that of the package `ws`. */
export type Socket = {
  binaryType: string
  readonly readyState: number
  send(data: Uint8Array | string): void
  close(code?: number, reason?: string): void
  /** Only `ws`: browsers discard a socket by themselves. */
  terminate?(): void
  /** Only `ws`: others do not show the answer to an upgrade. */
  on?(name: 'unexpected-response', act: (request: unknown, answer: UpgradeAnswer) => void): void
  addEventListener<N extends keyof SocketEvents>(name: N, act: (event: SocketEvents[N]) => void): void
}

/** A WebSocket constructor. The one of `ws` accepts headers. */
export type SocketConstructor = new (
  url: string,
  protocols?: readonly string[],
  options?: { readonly headers: Readonly<Record<string, string>> },
) => Socket

/** The given constructor, or the one of the page or of Node 22. */
export const findSocketConstructor = (given: unknown): SocketConstructor => {
  const found = given ?? environment().WebSocket
  if (typeof found !== 'function')
    throw new GatehouseError('no-web-socket', "There is no WebSocket here. Run npm install ws, and pass { WebSocket } of 'ws'.")
  return found as SocketConstructor
}

/** A base address as that of a WebSocket. */
export const toSocketAddress = (url: string): string => url.replace(/^http/, 'ws')
