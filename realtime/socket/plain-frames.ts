import type { Duplex } from 'node:stream'
import { readLent } from './lent-reads.ts'

/** First bytes of frames that are whole messages: binary, ping, pong. */
const binary = 0x82
const controls: readonly number[] = [0x89, 0x8a]

const maskBit = 0x80
const maskBytes = 4
const shortMax = 125
/** The payload's length is in two more bytes. */
const longForm = 126

/** Who takes short messages. */
export type PlainFrames = {
  /** Whether messages are taken at this moment. */
  isOpen(): boolean
  /** A whole binary message, unmasked where it lies: from `start` to `end` of memory that the next read may overwrite. */
  receiveLent(memory: Buffer, start: number, end: number): void
}

/** Bytes of the frame at `at`, header included; undefined for one that the library alone shall judge, or whose header is cut in two at `size`. */
const frameLength = (chunk: Buffer, at: number, size: number): number | undefined => {
  if (at + 1 >= size) return undefined
  const first = chunk[at] ?? 0
  const second = chunk[at + 1] ?? 0
  const short = second & ~maskBit
  if ((second & maskBit) === 0 || (first !== binary && !controls.includes(first))) return undefined
  if (short <= shortMax) return 2 + maskBytes + short
  const isLong = short === longForm && first === binary && at + 4 <= size
  return isLong ? 4 + maskBytes + chunk.readUInt16BE(at + 2) : undefined
}

const unmask = (chunk: Buffer, start: number, end: number): void => {
  const mask = start - maskBytes
  for (let i = start; i < end; i += 1) chunk[i] = (chunk[i] ?? 0) ^ (chunk[mask + ((i - start) & 3)] ?? 0)
}

/**
 * Takes short binary messages off `stream` before the WebSocket library does, which spends several microseconds on each: a player sends
 * twenty of them a second. Everything else goes to the library, in order; from the first frame on that is of a rarer kind, all does. `admits`
 * says whether the library is given so many bytes; what it is not given is dropped.
 */
export const takePlainFrames = (stream: Duplex, frames: PlainFrames, admits: (bytes: number) => boolean): void => {
  const [library] = stream.listeners('data')
  if (library === undefined) return
  /** Bytes still to come of a frame that the library has the beginning of; infinite once it has all. */
  let pending = 0

  /** The library keeps what it is given until it has a whole message. */
  const pass = (piece: Buffer, isLent: boolean): void => {
    if (admits(piece.length)) library.call(stream, isLent ? Buffer.from(piece) : piece)
  }

  /** The first `size` bytes of `chunk`. */
  const take = (chunk: Buffer, size: number, isLent = true): void => {
    let at = Math.min(pending, size)
    pending -= at
    /** Where what goes to the library begins. */
    let from = 0
    while (at < size) {
      const length = frameLength(chunk, at, size)
      const end = at + (length ?? Number.POSITIVE_INFINITY)
      if (end > size) {
        pending = end - size
        break
      }
      if (chunk[at] === binary && end - at <= 2 + maskBytes + shortMax && frames.isOpen()) {
        if (at > from) pass(chunk.subarray(from, at), isLent)
        from = end
        unmask(chunk, at + 2 + maskBytes, end)
        frames.receiveLent(chunk, at + 2 + maskBytes, end)
      }
      at = end
    }
    if (size > from) pass(chunk.subarray(from, size), isLent)
  }

  stream.removeAllListeners('data')
  stream.on('data', (chunk: Buffer) => take(chunk, chunk.length, false))
  readLent(stream, take)
}
