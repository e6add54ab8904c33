import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'

export type ClientFrame = { readonly opcode: number; readonly fin?: boolean; readonly payload?: Uint8Array | string }

/** A frame as clients send it; a mask of zeros leaves the payload unchanged. */
export const clientFrame = ({ opcode, fin = true, payload = '' }: ClientFrame): Buffer => {
  const bytes = Buffer.from(payload)
  const short = bytes.length < 126
  const header = Buffer.alloc(short ? 6 : 8)
  header.writeUInt8((fin ? 0x80 : 0) | opcode, 0)
  header.writeUInt8(0x80 | (short ? bytes.length : 126), 1)
  if (!short) header.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([header, bytes])
}

const streams = new WeakMap<WebSocket, Socket>()

/** A WebSocket client for `writeRaw`. */
export const openWebSocket = (url: string, protocols: readonly string[] = [], options: ClientOptions = {}): WebSocket => {
  let stream: Socket | undefined
  const createConnection = ({ host, port }: { host?: string; port?: number }): Socket => {
    stream = connect({ host, port } as NetConnectOpts)
    return stream
  }
  const socket = new WebSocket(url, [...protocols], { ...options, createConnection } as ClientOptions)
  if (stream !== undefined) streams.set(socket, stream)
  return socket
}

/** Writes bytes directly to the socket, because the library would only send whole messages. */
export const writeRaw = ({ socket }: { readonly socket: WebSocket }, bytes: Uint8Array): void => {
  const stream = streams.get(socket)
  if (stream === undefined) throw new Error('the socket was not opened by openWebSocket')
  stream.write(bytes)
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
