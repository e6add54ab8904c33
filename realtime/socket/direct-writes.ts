import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Bytes as they are have an encoding of their own in Node, which its types leave out. */
type PlainSocket = Socket & { _write(piece: Uint8Array, encoding: 'buffer', done: (error?: Error | null) => void): void }

const isPlainSocket = (stream: Duplex): stream is PlainSocket => Object.getPrototypeOf(stream) === Socket.prototype

/**
 * Writes finished pieces to a stream past the bookkeeping of Node's streams. That bookkeeping costs as much as all
 * else of a frame's way, and a task of its own after each. While bytes wait, the stream itself takes what comes. It writes many pieces at
 * once; past it, each would be a request of its own to the system. A class, as all that is touched for every frame: methods that all
 * sockets share stay in the processor's caches.
 */
export class DirectWriter {
  private readonly stream: Duplex
  private readonly plain: PlainSocket | undefined
  private readonly finish: (error?: Error | null) => void
  /** Bytes of the one piece past the stream that the system has not taken all of. */
  private ownBytes = 0
  private isInCall = false
  private mayOthersWait = true

  constructor(stream: Duplex) {
    this.stream = stream
    this.plain = isPlainSocket(stream) ? stream : undefined
    this.finish = (error) => this.finished(error)
  }

  /** Nobody changes the piece until the system has all of it. */
  write(piece: Uint8Array): void {
    const { plain } = this
    if (plain === undefined || this.waitingBytes() > 0) {
      this.mayOthersWait = true
      this.stream.write(piece)
      return
    }
    this.isInCall = true
    plain._write(piece, 'buffer', this.finish)
    if (this.isInCall) this.ownBytes = piece.length
    this.isInCall = false
  }

  /** Others may write to the stream from now on; until this is called, what they write is not looked for again once it was gone. */
  expectOthers(): void {
    this.mayOthersWait = true
  }

  /** Bytes that the system has not taken yet, others' included. */
  waitingBytes(): number {
    if (!this.mayOthersWait) return this.ownBytes
    const others = this.stream.writableLength
    if (others === 0) this.mayOthersWait = false
    return this.ownBytes + others
  }

  private finished(error?: Error | null): void {
    if (!this.isInCall) this.ownBytes = 0
    this.isInCall = false
    if (error) this.stream.destroy(error)
  }
}
