import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Where all sockets read to, one after the other. */
const lent = Buffer.allocUnsafeSlow(65_536)

const fieldOf = (socket: Socket, name: string): symbol | undefined =>
  Object.getOwnPropertySymbols(socket).find(({ description }) => description === name)

/** What Node calls a socket's own connection to the system, where it can read to memory of ours. */
const findHandle = (socket: Socket): { readonly useUserBuffer: (memory: Uint8Array) => void } | undefined => {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null || !('useUserBuffer' in handle)) return undefined
  const { useUserBuffer } = handle
  return typeof useUserBuffer === 'function'
    ? { useUserBuffer: (memory) => Reflect.apply(useUserBuffer, handle, [memory]) }
    : undefined
}

/**
 * From now on `take` gets what arrives at `stream`, instead of `data` listeners. It gets the first `size` bytes of memory that the next
 * read overwrites. The listeners still get what the stream held already. That is Node's own `onread`: offered for sockets that one opens,
 * and there in those that a server accepts. False, and nothing is changed, where a stream is none of them or Node has it no more.
 */
export const readLent = (stream: Duplex, take: (memory: Buffer, size: number) => void): boolean => {
  if (!(stream instanceof Socket)) return false
  const [buffer, callback] = [fieldOf(stream, 'kBuffer'), fieldOf(stream, 'kBufferCb')]
  const handle = findHandle(stream)
  if (buffer === undefined || callback === undefined || handle === undefined) return false
  Reflect.set(stream, buffer, lent)
  Reflect.set(stream, callback, (length: number): boolean => {
    take(lent, length)
    return true
  })
  handle.useUserBuffer(lent)
  return true
}
