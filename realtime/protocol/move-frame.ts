import type { Move } from './generated/gatehouse.ts'

const doubles = new Float64Array(1)
const doubleBytes = new Uint8Array(doubles.buffer)
const floats = new Float32Array(1)
const floatBytes = new Uint8Array(floats.buffer)

/** `ClientMessage.move` as a tag, and the fields of Move as theirs. */
const moveTag = 0x12
const seqTag = 0x08
const doubleTags = [0x11, 0x19, 0x21] as const
const floatTags = [0x2d, 0x35] as const

type Cursor = { at: number }

const byteAt = (frame: Uint8Array, at: number): number => frame[at] ?? 0

const readVarint = (frame: Uint8Array, cursor: Cursor): number => {
  let value = 0
  for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
    const byte = byteAt(frame, cursor.at)
    cursor.at += 1
    value += (byte & 127) * scale
    if (byte < 128) return value
  }
  return Number.NaN
}

const readDouble = (frame: Uint8Array, cursor: Cursor, tag: number): number => {
  if (frame[cursor.at] !== tag) return 0
  for (let i = 0; i < 8; i += 1) doubleBytes[i] = byteAt(frame, cursor.at + 1 + i)
  cursor.at += 9
  return doubles[0] ?? 0
}

const readFloat = (frame: Uint8Array, cursor: Cursor, tag: number): number => {
  if (frame[cursor.at] !== tag) return 0
  for (let i = 0; i < 4; i += 1) floatBytes[i] = byteAt(frame, cursor.at + 1 + i)
  cursor.at += 5
  return floats[0] ?? 0
}

/**
 * The Move of a frame that holds nothing else and has its fields in order, as encoders write it. Undefined for any other frame, which the generated decoder may still be able to read. The frame lies from `start` to `end` of `memory`; a look at what is behind it makes it
 * longer than it is, which is no such frame. Twenty of these come from every player each second, so this allocates only its result.
 */
export const readMoveFrame = (memory: Uint8Array, start = 0, end = memory.length): Move | undefined => {
  const length = end - start
  if (length < 2 || length > 127 || memory[start] !== moveTag || memory[start + 1] !== length - 2) return undefined
  const cursor: Cursor = { at: start + 2 }
  let seq = 0
  if (memory[cursor.at] === seqTag) {
    cursor.at += 1
    seq = readVarint(memory, cursor)
    if (!(seq <= 0xffffffff)) return undefined
  }
  const x = readDouble(memory, cursor, doubleTags[0])
  const y = readDouble(memory, cursor, doubleTags[1])
  const z = readDouble(memory, cursor, doubleTags[2])
  const yaw = readFloat(memory, cursor, floatTags[0])
  const pitch = readFloat(memory, cursor, floatTags[1])
  return cursor.at === end ? { seq, x, y, z, yaw, pitch } : undefined
}
