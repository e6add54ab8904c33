import type { Duplex } from 'node:stream'
import type { FrameKind } from '../protocol/messages.ts'
import { CutFrame } from './cut-frame.ts'
import { broken, cut, finalBit, frameLength, headerLength, maskBytes, opcodeBits, opcodes, shortMax } from './frame-length.ts'
import { readLent } from './lent-reads.ts'

/** A frame that is a whole binary message. */
const plainBinary = finalBit | opcodes.binary
const plainBytesMax = 2 + maskBytes + shortMax

/** A header is no longer. */
const longestHeader = 14

/** What the library spends on a fragment beside its payload, in bytes. */
const fragmentBytes = 128

/** What a client may go on sending once it was told to go; then it is not read any more. Small frames cost more than their bytes. */
const afterCloseBytesMax = 1_048_576
const skippedFrameBytes = 64

/** Whose frames they are. Each method is asked before the frame has cost anything. */
export type FrameTaker = {
  /** Whether messages are taken at this moment. */
  isOpen(): boolean
  /** A whole binary message, unmasked where it lies: from `start` to `end` of memory that the next read may overwrite. */
  receiveLent(memory: Buffer, start: number, end: number): void
  /** Whether a message may have so many bytes, and the client be waited for with so many in memory. */
  mayHold(messageBytes: number, heldBytes: number, kind: FrameKind): boolean
  /** Pays for a ping, a pong, or a frame that is not the last of its message; whether it could. */
  payFor(frame: 'ping' | 'pong' | 'fragment'): boolean
  /** The library is given a frame, which it may answer. */
  expectAnswer(): void
}

type Listener = Parameters<Duplex['on']>[1]

const isListener = (value: unknown): value is Listener => typeof value === 'function'

const unmask = (chunk: Buffer, start: number, end: number): void => {
  const mask = start - maskBytes
  for (let i = start; i < end; i += 1) chunk[i] = (chunk[i] ?? 0) ^ (chunk[mask + ((i - start) & 3)] ?? 0)
}

/** Memory of its own for what the library may keep for long: a piece of a shared one would keep all of that. */
const copyOf = (frame: Buffer, isLast: boolean): Buffer => {
  if (isLast) return Buffer.from(frame)
  const copy = Buffer.allocUnsafeSlow(frame.length)
  frame.copy(copy)
  return copy
}

/** Follows the frames of one stream. A class, since each connection keeps its own for as long as it is there. */
class PlainFrames {
  private readonly held = new CutFrame()
  /** Bytes still to come of a frame that nobody wants. */
  private skip = 0
  private skippedAfterClose = 0
  /** The library has the client's close, or what it closes for. */
  private isOver = false
  /** Of a message in fragments: what the library has of it. */
  private messageBytes = 0
  private fragments = 0
  private messageKind: FrameKind | undefined
  private readonly stream: Duplex
  private readonly frames: FrameTaker
  private readonly library: Listener

  constructor(stream: Duplex, frames: FrameTaker, library: Listener) {
    this.stream = stream
    this.frames = frames
    this.library = library
  }

  /** The first `size` bytes of `chunk`. */
  take(chunk: Buffer, size: number): void {
    let at = this.held.size > 0 ? this.takeHeld(chunk, size) : 0
    while (at < size && !this.isOver) {
      if (this.skip > 0) {
        const skipped = Math.min(this.skip, size - at)
        this.skip -= skipped
        at += skipped
        this.passOver(skipped)
      } else at = this.takeAt(chunk, at, size)
    }
    if (this.isOver) this.passOver(size)
  }

  private give(frame: Buffer): void {
    this.frames.expectAnswer()
    Reflect.apply(this.library, this.stream, [frame])
  }

  /** As `frameLength`; a fragment that goes on with nothing is broken too, and a message within another. */
  private lengthOf(chunk: Buffer, at: number, size: number): number {
    const opcode = (chunk[at] ?? 0) & opcodeBits
    const isInOrder = opcode >= opcodes.close || (opcode === opcodes.continuation) === this.fragments > 0
    return isInOrder || at + 1 >= size || !this.frames.isOpen() ? frameLength(chunk, at, size) : broken
  }

  private isWanted(first: number, second: number, length: number): boolean {
    const opcode = first & opcodeBits
    if (!this.frames.isOpen()) return opcode === opcodes.close
    if (opcode >= opcodes.close) return true
    const bytes = this.messageBytes + length - headerLength(second)
    const kind = opcode === opcodes.continuation ? (this.messageKind ?? 'binary') : opcode === opcodes.text ? 'text' : 'binary'
    return this.frames.mayHold(bytes, this.messageBytes + this.fragments * fragmentBytes + length, kind)
  }

  /** Notes the part of a message, and pays for it where another is to come: the end is paid for as the message. */
  private takePart(first: number, payloadBytes: number): boolean {
    if ((first & finalBit) !== 0) {
      this.messageBytes = 0
      this.fragments = 0
      this.messageKind = undefined
      return true
    }
    this.messageBytes += payloadBytes
    this.fragments += 1
    this.messageKind ??= (first & opcodeBits) === opcodes.text ? 'text' : 'binary'
    return this.frames.payFor('fragment')
  }

  private pays(first: number, payloadBytes: number): boolean {
    const opcode = first & opcodeBits
    if (opcode < opcodes.close) return this.takePart(first, payloadBytes)
    return opcode === opcodes.close || this.frames.payFor(opcode === opcodes.ping ? 'ping' : 'pong')
  }

  /** One whole frame, of which the library gets `frame` or a copy. */
  private takeFrame(frame: Buffer, isOwn: boolean): void {
    const first = frame[0] ?? 0
    this.isOver = (first & opcodeBits) === opcodes.close
    if (this.pays(first, frame.length - headerLength(frame[1] ?? 0)))
      this.give(isOwn ? frame : copyOf(frame, (first & finalBit) !== 0))
  }

  /** The library judges: it has never seen more than whole frames, and closes at once. */
  private giveBroken(header: Buffer): void {
    this.isOver = true
    this.give(Buffer.from(header))
  }

  /** What a client that was told to go sends on; it is read no more once that is too much. */
  private passOver(bytes: number): void {
    this.skippedAfterClose += bytes + skippedFrameBytes
    if (this.skippedAfterClose > afterCloseBytesMax) this.stream.pause()
  }

  /** Goes on with the frame that was cut: the bytes of `chunk` that belong to it. */
  private takeHeld(chunk: Buffer, size: number): number {
    const { held } = this
    let at = 0
    while (held.length === 0 && at < size) {
      at += held.add(chunk, at, at + 1, longestHeader)
      const length = this.lengthOf(held.memory, 0, held.size)
      if (length === broken) {
        this.giveBroken(held.release().subarray(0, 2))
        return size
      }
      if (length !== cut && !this.isWanted(held.memory[0] ?? 0, held.memory[1] ?? 0, length)) {
        this.skip = length - held.size
        held.release()
        return at
      }
      held.length = length
    }
    if (held.length === 0) return at
    at += held.add(chunk, at, size, held.length)
    const { length } = held
    if (held.size === length) this.takeFrame(held.release().subarray(0, length), true)
    return at
  }

  /** The frame at `at`, as far as it is in `chunk`: where the next one begins. */
  private takeAt(chunk: Buffer, at: number, size: number): number {
    const length = this.lengthOf(chunk, at, size)
    if (length === broken) {
      this.giveBroken(chunk.subarray(at, at + 2))
      return size
    }
    const end = at + length
    const isWhole = length !== cut && end <= size
    if (isWhole && chunk[at] === plainBinary && length <= plainBytesMax && this.frames.isOpen()) {
      unmask(chunk, at + 2 + maskBytes, end)
      this.frames.receiveLent(chunk, at + 2 + maskBytes, end)
      return end
    }
    if (length !== cut && !this.isWanted(chunk[at] ?? 0, chunk[at + 1] ?? 0, length)) {
      this.skip = length
      return at
    }
    if (isWhole) this.takeFrame(chunk.subarray(at, end), false)
    else {
      this.held.length = length
      this.held.add(chunk, at, size, length === cut ? longestHeader : length)
    }
    return isWhole ? end : size
  }
}

/**
 * Follows what arrives at `stream` frame by frame, before the WebSocket library sees it. Short binary messages never come to the
 * library, which spends several microseconds on each: a player sends twenty of them a second. It is given all others, each as a whole,
 * once it was paid for; what `frames` refuses is dropped. Says whether the stream is read by `readLent`.
 */
export const takePlainFrames = (stream: Duplex, frames: FrameTaker): boolean => {
  const [library] = stream.rawListeners('data')
  if (!isListener(library)) return false
  const plain = new PlainFrames(stream, frames, library)
  // Not all that listen: taking away by name makes the stream's listeners a dictionary of a kibibyte.
  stream.off('data', library)
  stream.on('data', (chunk: Buffer) => plain.take(chunk, chunk.length))
  return readLent(stream, (memory, size) => plain.take(memory, size))
}
