import type { Duplex } from 'node:stream'

/** First bytes of frames that are whole messages: binary, ping, pong. */
const binary = 0x82
const controls: readonly number[] = [0x89, 0x8a]

const maskBit = 0x80
const maskBytes = 4
const shortMax = 125
/** The payload's length is in two more bytes. */
const longForm = 126

export type PlainFrames = {
  /** Whether messages are taken at this moment. */
  isOpen(): boolean
  /** A whole binary message, unmasked where it lay. */
  received(payload: Buffer): void
  /** Whether the library is given so many bytes; what it is not given is dropped. */
  admits(bytes: number): boolean
}

/** Bytes of the frame at `at`, header included; undefined for one that the library alone shall judge, or whose header is cut in two. */
const frameLength = (chunk: Buffer, at: number): number | undefined => {
  const first = chunk[at] ?? 0
  const second = chunk[at + 1] ?? 0
  const short = second & ~maskBit
  if ((second & maskBit) === 0 || (first !== binary && !controls.includes(first))) return undefined
  if (short <= shortMax) return 2 + maskBytes + short
  const isLong = short === longForm && first === binary && at + 4 <= chunk.length
  return isLong ? 4 + maskBytes + chunk.readUInt16BE(at + 2) : undefined
}

const unmask = (chunk: Buffer, start: number, end: number): void => {
  const mask = start - maskBytes
  for (let i = start; i < end; i += 1) chunk[i] = (chunk[i] ?? 0) ^ (chunk[mask + ((i - start) & 3)] ?? 0)
}

/**
 * Takes short binary messages off `stream` before the WebSocket library does, which spends several microseconds on each: a player sends
 * twenty of them a second. Everything else goes to the library, in order; from the first frame on that is of a rarer kind, all does.
 */
export const takePlainFrames = (stream: Duplex, { isOpen, received, admits }: PlainFrames): void => {
  const [library] = stream.listeners('data')
  if (library === undefined) return
  /** Bytes still to come of a frame that the library has the beginning of; infinite once it has all. */
  let pending = 0

  const pass = (chunk: Buffer, from: number, to: number): void => {
    if (to > from && admits(to - from)) library.call(stream, from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to))
  }

  stream.removeAllListeners('data')
  stream.on('data', (chunk: Buffer) => {
    let at = Math.min(pending, chunk.length)
    pending -= at
    /** Where what goes to the library begins. */
    let from = 0
    while (at < chunk.length) {
      const length = frameLength(chunk, at)
      const end = at + (length ?? Number.POSITIVE_INFINITY)
      if (end > chunk.length) {
        pending = end - chunk.length
        break
      }
      if (chunk[at] === binary && end - at <= 2 + maskBytes + shortMax && isOpen()) {
        pass(chunk, from, at)
        from = end
        unmask(chunk, at + 2 + maskBytes, end)
        received(chunk.subarray(at + 2 + maskBytes, end))
      }
      at = end
    }
    pass(chunk, from, chunk.length)
  })
}
