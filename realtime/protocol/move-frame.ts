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
 * The Move of a frame that holds nothing else and has its fields in order, as encoders write it; undefined for any other frame, which
 * the generated decoder may still be able to read. Twenty of these come from every player each second, so this allocates only its result.
 */
export const readMoveFrame = (frame: Uint8Array): Move | undefined => {
  if (frame[0] !== moveTag || frame.length > 127 || frame[1] !== frame.length - 2) return undefined
  const cursor: Cursor = { at: 2 }
  let seq = 0
  if (frame[2] === seqTag) {
    cursor.at = 3
    seq = readVarint(frame, cursor)
    if (!(seq <= 0xffffffff)) return undefined
  }
  const x = readDouble(frame, cursor, doubleTags[0])
  const y = readDouble(frame, cursor, doubleTags[1])
  const z = readDouble(frame, cursor, doubleTags[2])
  const yaw = readFloat(frame, cursor, floatTags[0])
  const pitch = readFloat(frame, cursor, floatTags[1])
  return cursor.at === frame.length ? { seq, x, y, z, yaw, pitch } : undefined
}
