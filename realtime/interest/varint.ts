/** The length in bytes of an unsigned 32-bit number as a protobuf varint. */
export const varintLength = (value: number): number => {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x200000) return 3
  return value < 0x10000000 ? 4 : 5
}

/** Writes the number and returns the next offset. */
export const writeVarint = (target: Uint8Array, at: number, value: number): number => {
  let rest = value
  let next = at
  while (rest >= 0x80) {
    target[next] = (rest & 127) | 128
    next += 1
    rest >>>= 7
  }
  target[next] = rest
  return next + 1
}

const loopBytesMax = 96

/** Copies a range. Short ranges use a loop, because a native call costs as much as a hundred bytes. */
export const copyRange = (source: Uint8Array, from: number, length: number, target: Uint8Array, at: number): number => {
  if (length > loopBytesMax) target.set(source.subarray(from, from + length), at)
  else for (let i = 0; i < length; i += 1) target[at + i] = source[from + i] ?? 0
  return at + length
}
