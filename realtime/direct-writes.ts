import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Writes finished pieces to a stream, in order with what others write to it. */
export type DirectWriter = {
  /** Nobody changes the piece until the system has all of it. */
  write(piece: Uint8Array): void
  /** Bytes that the system has not taken yet, others' included. */
  waitingBytes(): number
}

/** Bytes as they are have an encoding of their own in Node, which its types leave out. */
type PlainSocket = Socket & { _write(piece: Uint8Array, encoding: 'buffer', done: (error?: Error | null) => void): void }

const isPlainSocket = (stream: Duplex): stream is PlainSocket => Object.getPrototypeOf(stream) === Socket.prototype

/**
 * Past the bookkeeping of Node's streams, where nothing waits in it: that is as much work as all of a frame's other ways, and a task of
 * its own after each. What the system does not take at once it takes in the order of the calls, whoever made them.
 */
export const createDirectWriter = (stream: Duplex): DirectWriter => {
  if (!isPlainSocket(stream)) return { write: (piece) => stream.write(piece), waitingBytes: () => stream.writableLength }
  /** Of the piece that is being written past the stream. */
  let bytes = 0
  const finish = (error?: Error | null): void => {
    bytes = 0
    if (error) stream.destroy(error)
  }
  return {
    write: (piece) => {
      if (bytes > 0 || stream.writableLength > 0 || !stream.writable) {
        stream.write(piece)
        return
      }
      bytes = piece.length
      stream._write(piece, 'buffer', finish)
    },
    waitingBytes: () => bytes + stream.writableLength,
  }
}
